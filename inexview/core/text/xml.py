"""Reads all XML safely: articles, topics, pools, submissions.

Nothing here opens a second file or a connection: external DTDs and entities are ignored with a warning.
Hostile or broken files are refused with file, line and column, in time and memory bounded by the size of the
file.  Two parsers are used: expat for :func:`scan`, which reads articles (text and element boundaries, no
tree; half the time of a tree), and for submissions (:class:`XmlStream`); lxml for the small trees of topics,
pools and assessments.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from html.entities import html5
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from inexview.core.errors import DataError, DocumentError
from inexview.core.files import packing_of, read_beginning

if TYPE_CHECKING:
    from lxml import etree


# From the bytes of an XML file in any encoding, declared rightly or wrongly, to UTF-8.
#
# Wrong declarations are detected if possible: bytes that do not fit the declared encoding are refused, with
# the line of the first one, unless the bytes themselves show their encoding; then the file is read in it,
# with a warning. No character is changed silently.

_UTF8 = "utf-8"
_DECLARATION = re.compile(rb"""\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, _UTF8),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# The bytes of "<" at the beginning of files with two or four bytes per character and no mark.
_WIDE_BEGINNINGS = (
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_FAMILIES = {"iso-10646-ucs-2": "utf-16", "ucs-2": "utf-16", "iso-10646-ucs-4": "utf-32", "ucs-4": "utf-32"}
# Codecs that are not character encodings of files: escapes, host names, the system's own code page.
_NO_ENCODINGS = {
    "idna",
    "punycode",
    "undefined",
    "unicode_escape",
    "raw_unicode_escape",
    "utf-7",
    "mbcs",
    "oem",
}
_CHUNK = 1 << 20  # bytes that are decoded at once, so that a large file is not in memory twice

# Windows-1252, with Latin-1 for bytes that it does not define: browsers read both names so.
_WINDOWS_1252 = "".join(
    bytes([code]).decode("cp1252", "ignore") or bytes([code]).decode("latin-1") for code in range(256)
)
_C1_CONTROL = re.compile(rb"[\x80-\x9f]")
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_UTF8_SEQUENCE = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


@dataclass(frozen=True, slots=True)
class Decoded:
    """An XML file in UTF-8, without a byte order mark; its declaration no longer applies.

    ``lie`` is an error about a wrong declaration, to be shown as a warning or raised.
    """

    source: bytes
    lie: DocumentError | None = None


def decoded(data: bytes, name: str, *, whole: bool = True) -> Decoded:
    """Return a file's bytes in UTF-8.

    With ``whole`` False the bytes are the beginning of a file, which may end within a character.  Raises
    DocumentError with the line of the first byte that is not in the declared encoding.
    """
    return _EncodingDetector(data, name, whole).read()


class _EncodingDetector:
    def __init__(self, data: bytes, name: str, whole: bool) -> None:
        self.data, self.name, self.whole = data, name, whole

    def read(self) -> Decoded:
        data = self.data
        if not data or data.isspace():
            raise DocumentError("the file is empty", path=self.name)
        for mark, encoding in _BYTE_ORDER_MARKS:
            if data.startswith(mark):
                self.data = data[len(mark) :]
                return self._shown(encoding, "its byte order mark says")
        for beginning, encoding in _WIDE_BEGINNINGS:
            if data.startswith(beginning):
                return self._shown(encoding, "its first bytes show")
        if b"\0" in data[:1024] and data[:1] != b"<":
            raise DocumentError("this is a binary file, not XML", path=self.name)
        declared = _declared(data)
        family = _UTF8 if declared is None else _family(declared)
        if declared is not None and family not in (_UTF8, "utf-16", "utf-32", "ascii"):
            return self._eight_bits(declared)
        bad = self._first_bad()
        if declared is None:
            if bad is None:
                return Decoded(data)
            if not has_a_byte_for_each(data):
                problem = "the file does not declare its encoding, and is only partly UTF-8"
                raise self._error(problem, bad)
            problem = "the file does not declare its encoding and is not UTF-8; it was read as Windows-1252"
            return self._with_warning(self._windows_1252(), problem, bad)
        says = f"the file declares {declared}, but is"
        if family == _UTF8 and bad is not None:
            hint = "; perhaps it is windows-1252: declare this in its first line" * has_a_byte_for_each(data)
            raise self._error(f"{says} not{hint}", bad)
        if family == _UTF8 or (family == "ascii" and data.isascii()):
            return Decoded(data)
        if bad is not None:
            raise self._error(f"{says} neither that nor UTF-8", bad)
        return self._with_warning(data, f"{says} not; it was read as UTF-8")

    def _shown(self, encoding: str, how: str) -> Decoded:
        """Read bytes that show their encoding; a declaration may contradict."""
        source = self._transcoded(encoding, f"{how} {encoding}, but what follows is not")
        declared = _declared(source)
        if declared is None or _family(declared) == _family(encoding):
            return Decoded(source)
        return self._with_warning(
            source, f"the file declares {declared}, but {how} {encoding}; it was read as {encoding}"
        )

    def _eight_bits(self, declared: str) -> Decoded:
        """Read an encoding in which all or most bytes are valid: the declaration decides."""
        codec = self._codec(declared)
        if codec in ("iso8859-1", "cp1252"):
            source = self._windows_1252()
        else:
            source = self._transcoded(codec, f"the file declares {declared}, but is not")
        if (
            codec.startswith(("iso8859", "cp125", "koi8"))
            and not self.data.isascii()
            and self._first_bad() is None
        ):
            return self._with_warning(
                source,
                f"the file declares {declared}, but looks like UTF-8; it was read as {declared}. If accented "
                "letters look wrong, correct its first line",
            )
        if codec == "iso8859-1" and (control := _C1_CONTROL.search(self.data)):
            return self._with_warning(
                source,
                f"the file declares {declared}, but has characters of Windows-1252; it was read as "
                "Windows-1252",
                control.start(),
            )
        return Decoded(source)

    def _codec(self, declared: str) -> str:
        """Return Python's name of an encoding of text."""
        try:
            codec = codecs.lookup(declared).name
        except LookupError:
            codec = "undefined"
        if codec in _NO_ENCODINGS:
            raise DocumentError(
                f"the file declares the encoding {declared!r}, which does not exist; correct its first line",
                path=self.name,
                line=1,
            )
        try:
            b"<".decode(codec)
        except LookupError:  # zip, hex and similar codecs
            raise DocumentError(f"{declared!r} is not an encoding of text", path=self.name, line=1) from None
        return codec

    def _transcoded(self, codec: str, problem: str) -> bytes:
        bad = self._first_bad(codec)
        if bad is not None:
            raise self._error(problem, bad, codec)
        if codec == _UTF8:
            return self.data
        decoder = codecs.getincrementaldecoder(codec)()
        return b"".join(decoder.decode(chunk).encode() for chunk in self._chunks())

    def _windows_1252(self) -> bytes:
        return b"".join(map(from_windows_1252, self._chunks()))

    def _first_bad(self, codec: str = _UTF8) -> int | None:
        """Return the place of the first byte that is invalid in an encoding."""
        if codec == _UTF8 and len(self.data) <= _CHUNK:
            with suppress(UnicodeDecodeError):
                self.data.decode()
                return None
        # UTF-8 that ends within a character is cut off, which expat reports; it is not another encoding.
        ends_well = self.whole and codec != _UTF8
        decoder = codecs.getincrementaldecoder(codec)()
        place = 0
        for chunk in self._chunks():
            kept = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk, ends_well and place + len(chunk) == len(self.data))
            except UnicodeDecodeError as error:
                return place - kept + error.start
            place += len(chunk)
        return None

    def _chunks(self) -> list[memoryview]:
        data = memoryview(self.data)
        return [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]

    def _with_warning(self, source: bytes, problem: str, place: int | None = None) -> Decoded:
        line = None if place is None else self._line(place)
        return Decoded(source, DocumentError(problem, path=self.name, line=line))

    def _error(self, problem: str, place: int, codec: str = _UTF8) -> DocumentError:
        return DocumentError(
            f"{problem} (byte 0x{self.data[place]:02X})", path=self.name, line=self._line(place, codec)
        )

    def _line(self, place: int, codec: str = _UTF8) -> int:
        return self.data[:place].decode(codec, "replace").count("\n") + 1


def from_windows_1252(data: bytes | memoryview) -> bytes:
    """Return text in Windows-1252, or in Latin-1, in which any bytes are valid, as UTF-8."""
    return codecs.charmap_decode(data, "strict", _WINDOWS_1252)[0].encode()


def has_a_byte_for_each(data: bytes) -> bool:
    """Return whether most bytes beyond ASCII are a character each, and not broken UTF-8."""
    together = sum(len(found[0]) for found in _UTF8_SEQUENCE.finditer(data))
    return 2 * together < sum(1 for _ in _BEYOND_ASCII.finditer(data))


def _declared(data: bytes) -> str | None:
    found = _DECLARATION.match(data)
    return None if found is None else found[1].decode("ascii")


def _family(encoding: str) -> str:
    """Return the family of an encoding: UTF-16 in either byte order, UTF-8 with or without a mark."""
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        name = encoding.lower()
    name = _FAMILIES.get(name, name)
    return next((family for family in ("utf-8", "utf-16", "utf-32") if name.startswith(family)), name)


# Names of tags as in the formats, without case and namespace.


class PlainNames(dict[str, str]):
    """The plain name of each tag: ``<INEX-Submission>`` and ``<i:inex-submission>`` are the same.

    Looking up a known tag takes no call.
    """

    def __missing__(self, tag: str) -> str:
        name = self[tag] = plain_name(tag)
        return name


def plain_name(tag: str) -> str:
    """Return a tag of expat (``i:tag``) or lxml (``{…}tag``) in lower case without its namespace."""
    return tag.rpartition("}")[2].rpartition(":")[2].lower()


# Named character entities of articles without a usable DTD.
#
# The IEEE articles use `&mdash;` and `&agr;` and name a DTD that is no longer available.  HTML's table
# (`html.entities`) contains the ISO 8879 and ISO 9573-13 sets except the Greek letters of ISOgrk1, ISOgrk2
# and ISOgrk4 and a few names that later editions changed; those are listed here, with the characters of the
# W3C's tables of the ISO sets.

# ISO 8879 ISOgrk1, each letter by the part before "gr"; capitals have capital names ("Agr", "THgr").
_GREEK = {
    "a": "α", "b": "β", "g": "γ", "d": "δ", "e": "ε", "z": "ζ", "ee": "η", "th": "θ", "i": "ι", "k": "κ",
    "l": "λ", "m": "μ", "n": "ν", "x": "ξ", "o": "ο", "p": "π", "r": "ρ", "s": "σ", "t": "τ", "u": "υ",
    "ph": "φ", "kh": "χ", "ps": "ψ", "oh": "ω",
}  # fmt: skip

# ISO 8879 ISOgrk2: before "acgr" and "digr"; and those without a capital.
_GREEK_WITH_ACCENT = {"a": "ά", "e": "έ", "ee": "ή", "i": "ί", "o": "ό", "u": "ύ", "oh": "ώ"}
_GREEK_WITH_DIAERESIS = {"i": "ϊ", "u": "ϋ"}
_LOWER_ONLY_GREEK = {"sfgr": "ς", "idiagr": "ΐ", "udiagr": "ΰ"}

# ISO 8879 and ISO 9573-13 ISOgrk4: bold mathematical Greek, "b.alpha"; U+1D6C2 is bold small alpha, final
# sigma included, U+1D6A8 bold capital alpha.
_BOLD_SMALL = (
    "alpha", "beta", "gamma", "delta", "epsi", "zeta", "eta", "thetas", "iota", "kappa", "lambda", "mu", "nu",
    "xi", "omicron", "pi", "rho", "sigmav", "sigma", "tau", "upsi", "phis", "chi", "psi", "omega",
)  # fmt: skip
_BOLD_CAPITAL = {
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsi": "Υ",
    "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
_BOLD_OTHERS = {
    "epsis": "\U0001d6dc", "epsiv": "\U0001d6dc", "thetav": "\U0001d6dd", "kappav": "\U0001d6de",
    "phi": "\U0001d6d7", "phiv": "\U0001d6df", "rhov": "\U0001d6e0", "piv": "\U0001d6e1", "Gammad": "Ϝ",
    "gammad": "ϝ",
}  # fmt: skip

# Names of ISO 8879 that ISO 9573-13, and HTML with it, changed or left out.
_FORMER = {
    "ang90": "∟", "cupre": "≼", "darr2": "⇊", "dlarr": "↙", "drarr": "↘", "epsis": "ϵ", "gsdot": "⋗",
    "jnodot": "ȷ", "larr2": "⇇", "ldot": "⋖", "lpargt": "⦠", "lrarr2": "⇆", "lrhar2": "⇋", "phis": "φ",
    "rarr2": "⇉", "rlarr2": "⇄", "rlhar2": "⇌", "samalg": "∐", "sbsol": "﹨", "thetas": "θ", "uarr2": "⇈",
    "vprime": "′",
}  # fmt: skip


@cache
def _table() -> dict[str, str]:
    table = {name[:-1]: characters for name, characters in html5.items() if name.endswith(";")}
    for ending, letters in (("gr", _GREEK), ("acgr", _GREEK_WITH_ACCENT), ("digr", _GREEK_WITH_DIAERESIS)):
        table |= {name + ending: letter for name, letter in letters.items()}
        table |= {name.upper() + ending: letter.upper() for name, letter in letters.items()}
    table |= _LOWER_ONLY_GREEK | _FORMER
    table |= {f"b.{name}": chr(0x1D6C2 + at) for at, name in enumerate(_BOLD_SMALL)}
    table |= {f"b.{name}": chr(0x1D6A8 + ord(letter) - ord("Α")) for name, letter in _BOLD_CAPITAL.items()}
    table |= {f"b.{name}": character for name, character in _BOLD_OTHERS.items()}
    return table


def entity_text(name: str) -> str | None:
    """Return the text of a named entity (``"mdash"`` → "—"), or None for an unknown name."""
    return _table().get(name)


# Large XML files that are read once; their elements are discarded after use.
#
# The rules are those of articles, except that the number of elements is unlimited if none is kept.

MAX_BYTES = 64 * 1024 * 1024  # four times as much memory for the text, if one character takes four bytes
MAX_DEPTH = 2_000
MAX_ELEMENTS = 1_000_000  # the longest articles have some tens of thousands
MAX_ATTRIBUTES = 2_000_000
MAX_EXPANSION = 10  # characters of text per byte of file that entities may produce …
FREE_CHARACTERS = 1_000_000  # … beyond this many, which any file may have
MOST_NESTED = 400  # entities that contain others; real DTDs have some dozens
MOST_ATTRIBUTES = 250  # of one element
_HOLDS_ENTITY = re.compile("[&%][^#]")
_TOLD = 20  # entities that are reported one by one
_LONGEST_NAME = 60  # characters of an entity's name in a warning

# Additions of libxml2 to its errors: the line, which is reported separately, and advice on how to call it.
_FOR_PROGRAMMERS = re.compile(", (?:line \\d|use XML_PARSE|try XML_PARSE|see xmlCtxt).*", re.DOTALL)
_SAFE: dict[str, Any] = {
    "load_dtd": False,
    "no_network": True,
    "resolve_entities": "internal",
    "huge_tree": False,  # libxml2's own limits apply
}


def read_bytes(path: str | Path, most: int = MAX_BYTES) -> bytes:
    """Read a whole file, and unpack it if it is packed.

    Raises DocumentError if it is missing, not a file, or larger than ``most``, DataError for packing errors.
    """
    path = Path(path)
    try:
        kind = path.stat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):  # opening a folder gives the error
            raise DocumentError("this is a pipe or a device: save its output to a file first", path=path)
        with path.open("rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(size + 1) if size <= most else b""
            while len(data) != size <= most and (more := file.read(most + 1 - len(data))):
                data += more  # it grows meanwhile, or arrives in pieces
        if packing_of(data):
            data = read_beginning(path, most + 1)
        if max(size, len(data)) > most:
            raise DocumentError(
                f"the file is larger than {most >> 20} MB; split it before opening it", path=path
            )
        return data
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise DocumentError(f"the file cannot be read ({reason})", path=path) from error


def parse_tree(data: bytes, path: str | Path, warnings: list[str] | None = None) -> etree._Element:
    """Parse a topic, pool or assessment file to an lxml tree; errors name ``path``.

    Internal entities are expanded, within libxml2's limits (depth 256, text nodes of 10 MB, expansion five
    times the file); nothing else is ever opened.  Wrong declarations of the encoding are added to
    ``warnings``; without that list such a file is refused.  Raises DataError with line and column.
    """
    from lxml import etree  # not needed for articles and text

    found = decoded(data, str(path))
    if found.lie is not None:
        if warnings is None:
            raise found.lie
        warnings.append(str(found.lie))
    _refuse_a_crowd(found.source, str(path))
    try:
        root: etree._Element | None = etree.fromstring(
            found.source, etree.XMLParser(encoding="utf-8", **_SAFE)
        )
    except etree.XMLSyntaxError as error:
        problem = f"this is not well-formed XML: {_FOR_PROGRAMMERS.sub('', error.msg or 'the file is empty')}"
        line, column = (error.lineno, error.offset) if error.lineno else (None, None)  # 0: unknown
        raise DataError(problem, path=path, line=line, column=column) from error
    if root is None:
        raise DataError("the file holds no XML element", path=path)
    return root


def _refuse_a_crowd(source: bytes, name: str) -> None:
    """Refuse a file with more elements than memory allows; comments and instructions count as elements.

    Each element needs a "</" or a "/>", each attribute an "=" and a quotation mark.
    """
    if len(source) <= 4 * MAX_ELEMENTS:
        return
    if sum(map(source.count, (b"</", b"/>", b"<!", b"<?"))) > MAX_ELEMENTS:
        raise DocumentError(f"the file has more than {MAX_ELEMENTS:,} elements; split it", path=name)
    if source.count(b'="') + source.count(b"='") > MAX_ATTRIBUTES:
        raise DocumentError(f"the file has more than {MAX_ATTRIBUTES:,} attributes; split it", path=name)


class Scanner:
    """One pass of expat over an article; callers set their handlers on ``parser``.

    A handler that runs at an element's edge gets its place in the text from ``tell()``, in code points.
    ``source`` is the article in UTF-8.  With ``whole`` False the bytes are only the beginning of a file. If
    no element is ``kept``, their number is unlimited.
    """

    def __init__(self, data: bytes, name: str, *, whole: bool = True, kept: bool = True) -> None:
        self.name = name
        self._whole = whole
        found = decoded(data, name, whole=whole)
        self.source = found.source
        if kept:
            _refuse_a_crowd(self.source, name)
        self.warnings = [] if found.lie is None else [str(found.lie)]
        # A file object takes the pieces without a Python frame for each and counts them on the way.
        self._text = StringIO()
        self.tell = self._text.tell
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.CharacterDataHandler = self._text.write
        # Default attributes of a DTD would be repeated for each element.
        parser.specified_attributes = True
        self.declared: set[str] = set()
        """The names of the entities declared so far."""
        self._nested = 0
        self._attributes: Counter[str] = Counter()
        parser.AttlistDeclHandler = self._declare_attribute
        parser.EntityDeclHandler = self._limit_expansion
        if b"&" in self.source:
            # With an (empty) DTD of our own, expat reports undeclared entities instead of stopping.
            parser.UseForeignDTD(True)
            parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
            parser.ExternalEntityRefHandler = self._external
            parser.SkippedEntityHandler = self._skipped

    def run(self) -> str:
        """Parse, and return the text; raises DocumentError with line and column."""
        with self._parsing():
            self.parser.Parse(self.source, self._whole)
        return self.text()

    @contextmanager
    def _parsing(self) -> Iterator[None]:
        try:
            yield
        except expat.ExpatError as error:
            raise self.error(message_of_error(error), error.lineno, error.offset + 1) from error
        finally:
            del self.parser  # breaks the cycle parser → handlers → scanner, so that all are freed at once

    def text(self) -> str:
        return self._text.getvalue()

    def error(self, problem: str, line: int | None = None, column: int | None = None) -> DocumentError:
        """Return an error at the given place, or at the parser's position."""
        return DocumentError(
            problem,
            path=self.name,
            line=self.parser.CurrentLineNumber if line is None else line,
            column=self.parser.CurrentColumnNumber + 1 if column is None else column,
        )

    def _limit_expansion(self, *declared: Any) -> None:
        """Refuse entity bombs: a file that declares no entity cannot have more characters than bytes."""
        self.parser.EntityDeclHandler = self._declare_entity  # for the later ones
        self._declare_entity(*declared)
        most = FREE_CHARACTERS + MAX_EXPANSION * len(self.source)
        keep = self.parser.CharacterDataHandler
        assert keep is not None
        seen = 0

        def limited(text: str) -> None:
            nonlocal seen
            seen += len(text)
            if seen > most:
                raise self.error(
                    "entities expand to far more text than the file has; it was refused as a possible attack"
                )
            keep(text)

        self.parser.CharacterDataHandler = limited

    def _declare_entity(self, name: str, parameter: bool, value: str | None, *_where: str | None) -> None:
        """Count an entity's declaration; the number of nested ones limits the length of chains."""
        if not parameter:
            self.declared.add(name)
        if value is not None and _HOLDS_ENTITY.search(value):
            self._nested += 1
            if self._nested > MOST_NESTED:
                raise self.error(
                    f"more than {MOST_NESTED} entities that hold other entities; it was refused as a "
                    "possible attack"
                )

    def _declare_attribute(self, element: str, *_declared: object) -> None:
        self._attributes[element] += 1
        if self._attributes[element] > MOST_ATTRIBUTES:
            raise self.error(
                f"more than {MOST_ATTRIBUTES} attributes are declared of one element; it was refused as a "
                "possible attack"
            )

    def _external(self, context: str | None, base: str | None, system: str | None, public: str | None) -> int:
        if context is None:  # the external DTD: expat gets an empty one
            self.parser.ExternalEntityParserCreate(context).Parse(b"", True)
        else:
            shown = _shortened(system or public or context)
            self._warn(f"the external entity {shown!r} was not opened")
        return 1

    def _skipped(self, name: str, is_parameter: bool) -> None:
        if is_parameter:
            return
        characters = entity_text(name)
        if characters is None:
            characters = f"&{name};"
            shown = f"&{_shortened(name)};"
            self._warn(f"{self.name}: the entity {shown} is not declared; its name is shown")
        handler: Callable[[str], Any] | None = self.parser.CharacterDataHandler
        if handler is not None:
            handler(characters)

    def _warn(self, warning: str) -> None:
        """Warn once about each entity, up to a limit: a file may name a million."""
        if warning in self.warnings or len(self.warnings) > _TOLD:
            return
        more = "further entities cannot be shown or were not opened"
        self.warnings.append(warning if len(self.warnings) < _TOLD else f"{self.name}: {more}")


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def message_of_error(error: expat.ExpatError) -> str:
    errors = expat.errors
    said = errors.messages[error.code]
    if said == errors.XML_ERROR_INVALID_TOKEN:
        return "this is not well-formed XML: a character that is not allowed here"
    if said == errors.XML_ERROR_NO_ELEMENTS:
        return "the file holds no XML element, or ends before the first one is closed"
    if "amplification" in said:
        return "entities expand to far more text than the file has; it was refused as a possible attack"
    return f"this is not well-formed XML: {said}"


MAX_STREAM_BYTES = 512 * 1024 * 1024  # a run of three million results
LONGEST_TAG = 1 << 20  # bytes, attributes included; comments too
_PIECE = 1 << 16


class XmlStream(Scanner):
    """A file to be parsed piece by piece; callers set their handlers on ``parser``."""

    def __init__(self, path: str | Path) -> None:
        """Read the bytes; raises DocumentError if they are missing, too many or in an unknown encoding."""
        super().__init__(read_bytes(path, MAX_STREAM_BYTES), str(path), kept=False)

    def pieces(self) -> Iterator[None]:
        """Parse the file; yields after each piece.  Raises DocumentError with line and column."""
        source, parser = memoryview(self.source), self.parser
        with self._parsing():
            for at in range(0, len(source), _PIECE):
                parser.Parse(source[at : at + _PIECE], False)
                if at + _PIECE - parser.CurrentByteIndex > LONGEST_TAG:
                    raise self.error(f"a tag or comment is longer than {LONGEST_TAG >> 20} MB")
                yield
            parser.Parse(b"", True)
            yield


# The lines on which elements start, also beyond line 65,534.
#
# libxml2 stores an element's line in sixteen bits.  Beyond them lxml gives the line of a nearby text, which
# is one too far for most files, and more for others.  There expat counts the start tags again; files with
# fewer lines do not need this, and others are read only as far as necessary.

_LAST_LINE = 65_534  # the last line that lxml reports correctly
_LINES_CHUNK = 1 << 16


class TreeLines:
    """The lines of a tree's elements; fast for requests in the order of the file."""

    def __init__(self, root: etree._Element, data: bytes) -> None:
        self._root = root
        self._data = data
        self._last: tuple[etree._Element | None, int] = (None, 0)
        self._cursor: Iterator[tuple[etree._Element, int]] = iter(())

    def of(self, element: etree._Element) -> int:
        """Return the line on which an element starts; 0 if unknown."""
        told = element.sourceline or 0
        if told <= _LAST_LINE:
            return told
        if self._last[0] is not element:
            self._last = (element, self._find(element) or told)
        return self._last[1]

    def _find(self, element: etree._Element) -> int | None:
        for again in (False, True):
            if again:
                source = decoded(self._data, "").source
                chunks = (source[at : at + _LINES_CHUNK] for at in range(0, len(source), _LINES_CHUNK))
                self._cursor = zip(self._root.iter("*"), _start_lines(chunks), strict=False)
            for found, line in self._cursor:
                if found is element:
                    return line
        return None


def _start_lines(chunks: Iterable[bytes]) -> Iterator[int]:
    """Yield the line of each start tag; ends if expat cannot read on."""
    lines: list[int] = []
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = lambda _name, _attributes: lines.append(parser.CurrentLineNumber)
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
            yield from lines
            lines.clear()
    except (expat.ExpatError, LookupError):
        yield from lines
