"""`inexview --install-desktop`: the desktop entry, icons and file type of the program.

Everything is installed into the user's own data folder, and `--uninstall-desktop` deletes exactly that.  The
man page and the completions of shells are made from the commands' own parsers.  Desktop Entry Specification
1.4, Shared MIME-info Database 0.21, Icon Theme Specification 0.13 (freedesktop.org), AppStream 1.0.
"""

from __future__ import annotations

import re
import shutil
import sys
from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterator
from functools import partial
from html import escape
from pathlib import Path

from inexview.cli.common import FINE
from inexview.cli.window import ELSEWHERE, TYPE, call_tool, data_folder, quoted
from inexview.core.errors import InexviewError
from inexview.core.files import PROJECT_SUFFIX, resource, version, write_complete

ID = "inexview"
COMPONENT = "org.inexview.inexview"
FILE_TYPE = "application/x-inexview"
SUMMARY = "Judge what is relevant, and see why a system scores what it scores"
HOMEPAGE = "https://pypi.org/project/inexview/"
SIZES = (16, 32, 48, 128, 256)
UNDO = "inexview --uninstall-desktop"
Commands = dict[str, ArgumentParser]
Said = dict[str, str]  # by command


def install(window: ArgumentParser, commands: Commands, about: Said, examples: Said) -> int:
    """Write all files and update the desktop; raises InexviewError on systems without such a desktop."""
    folder = _supported()
    for place, content in _files(window, commands, about, examples).items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        write_complete(path, partial(Path.write_bytes, data=content))
        print(path)
    _tell(folder)
    print(f"Added inexview to the desktop menu; it opens *{PROJECT_SUFFIX} files. To remove it: `{UNDO}`")
    return FINE


def uninstall(window: ArgumentParser, commands: Commands, about: Said, examples: Said) -> int:
    """Delete what ``install`` wrote, and nothing else."""
    folder = _supported()
    there = [
        folder / place for place in _files(window, commands, about, examples) if (folder / place).exists()
    ]
    for path in there:
        path.unlink()
        print(f"Deleted {path}")
    _tell(folder)
    print("Removed inexview from the desktop menu." if there else "inexview was not in the desktop menu.")
    return FINE


def _supported() -> Path:
    if (why_not := ELSEWHERE.get(sys.platform)) is not None:
        raise InexviewError(f"{why_not}: start it with `inexview`.")
    return data_folder()


def _tell(folder: Path) -> None:
    """Run those of the desktop's own tools that exist, so that it reads the folder again."""
    call_tool("update-mime-database", str(folder / "mime"))
    call_tool("update-desktop-database", str(folder / "applications"))
    call_tool("gtk-update-icon-cache", "-f", "-t", str(folder / "icons" / "hicolor"))


def _files(window: ArgumentParser, commands: Commands, about: Said, examples: Said) -> dict[str, bytes]:
    """Return the content of each file by its place in the data folder."""
    icons = resource("icons")
    drawing = (icons / "inexview.svg").read_bytes()
    texts = {
        f"applications/{ID}.desktop": entry(_command()),
        f"mime/packages/{ID}.xml": file_type(),
        f"metainfo/{COMPONENT}.metainfo.xml": metainfo(),
        f"man/man1/{ID}.1": man_page(window, commands, about, examples),
        f"bash-completion/completions/{ID}": bash_completion(window, commands),
        f"zsh/site-functions/_{ID}": zsh_completion(window, commands, about),
        f"fish/vendor_completions.d/{ID}.fish": fish_completion(window, commands, about),
    }
    pictures = {
        f"icons/hicolor/{size}x{size}/apps/{ID}.png": (icons / f"inexview-{size}.png").read_bytes()
        for size in SIZES
    }
    pictures[f"icons/hicolor/scalable/apps/{ID}.svg"] = drawing
    pictures[f"icons/hicolor/scalable/mimetypes/{FILE_TYPE.replace('/', '-')}.svg"] = drawing
    return {place: text.encode() for place, text in texts.items()} | pictures


def _command() -> list[str]:
    """Return the command that starts this inexview: by its name if it is installed, else through Python."""
    found = shutil.which(ID)
    return [sys.executable, "-m", ID] if found is None else [found]


def entry(command: list[str]) -> str:
    """Return the desktop entry of the program."""
    words = " ".join(map(quoted, command))
    return (
        "[Desktop Entry]\n"
        "Type=Application\n"
        "Version=1.4\n"
        "Name=inexview\n"
        "GenericName=Relevance judgements\n"
        f"Comment={SUMMARY}\n"
        f"Exec={words} %F\n"
        f"Icon={ID}\n"
        "Terminal=false\n"
        "Categories=Science;DataVisualization;\n"
        "Keywords=INEX;TREC;qrels;relevance;retrieval;evaluation;\n"
        f"MimeType={FILE_TYPE};{TYPE};\n"
        f"StartupWMClass={ID}\n"
    )


def file_type() -> str:
    """Return the file type of projects, for the shared MIME database."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">\n'
        f'  <mime-type type="{FILE_TYPE}">\n'
        "    <comment>inexview project</comment>\n"
        '    <sub-class-of type="application/vnd.sqlite3"/>\n'
        f'    <glob pattern="*{PROJECT_SUFFIX}"/>\n'
        "  </mime-type>\n"
        "</mime-info>\n"
    )


def metainfo() -> str:
    """Return the description for software centres."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<component type="desktop-application">\n'
        f"  <id>{COMPONENT}</id>\n"
        "  <metadata_license>CC0-1.0</metadata_license>\n"
        "  <project_license>MIT</project_license>\n"
        "  <name>inexview</name>\n"
        f"  <summary>{escape(SUMMARY)}</summary>\n"
        '  <developer id="org.inexview"><name>The inexview founders</name></developer>\n'
        "  <description>\n"
        "    <p>Assessors mark, as with a marker pen, exactly the text of an article that is relevant to a "
        "topic. Researchers compare the results of a retrieval system with the judged text, and see every "
        "hit, every miss and every false alarm, and the resulting scores.</p>\n"
        "  </description>\n"
        f'  <launchable type="desktop-id">{ID}.desktop</launchable>\n'
        f'  <url type="homepage">{HOMEPAGE}</url>\n'
        f"  <provides><mediatype>{FILE_TYPE}</mediatype><binary>{ID}</binary></provides>\n"
        '  <content_rating type="oars-1.1"/>\n'
        "</component>\n"
    )


# Files made from the parsers: the man page, and completions.


def _options(parser: ArgumentParser) -> Iterator[Action]:
    """Yield the options that a parser shows."""
    yield from (one for one in parser._actions if one.option_strings and one.help is not SUPPRESS)


def _said(text: str | None, parser: ArgumentParser, action: Action) -> str:
    """Return the help of an option as argparse prints it, in one line."""
    known = {**vars(action), "prog": parser.prog}
    return " ".join(((text or "") % known).split())


def _roff(text: str) -> str:
    """Return text escaped so that man prints it unchanged."""
    shown = text.replace("\\", r"\(rs").replace("-", r"\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", shown)


def man_page(window: ArgumentParser, commands: Commands, about: Said, examples: Said) -> str:
    """Return the man page: the window's options, then every command with its own, and examples."""
    lines = [
        f'.TH INEXVIEW 1 "" "inexview {_roff(version())}" "User Commands"',
        ".SH NAME",
        _roff(f"inexview - {SUMMARY[0].lower()}{SUMMARY[1:]}"),
        ".SH SYNOPSIS",
        *(f".br\n{_roff(line.strip())}" for line in (window.usage or "").splitlines()),
        ".SH DESCRIPTION",
        _roff(" ".join((window.description or "").split())),
        ".SH OPTIONS",
        *_listed(window),
        ".SH COMMANDS",
    ]
    for name, parser in commands.items():
        lines += [f".SS {name}", _roff(f"{about[name][0].upper()}{about[name][1:]}.")]
        lines += [".PP", *(_roff(line.strip()) for line in parser.format_usage().splitlines())]
        lines += [".PP", _roff(" ".join((parser.description or "").split())), *_listed(parser)]
        lines += [".PP", ".nf", *(_roff(line) for line in examples[name].splitlines()), ".fi"]
    return "\n".join([*lines, ".SH EXIT STATUS", "0 success, 1 problems were found, 2 bad input", ""])


def _listed(parser: ArgumentParser) -> Iterator[str]:
    for option in _options(parser):
        given = "" if option.nargs == 0 else f" {_given(option)}"
        yield ".TP"
        yield rf"\fB{_roff(', '.join(option.option_strings))}\fR{_roff(given)}"
        yield _roff(_said(option.help, parser, option)) or r"\&"


def _given(option: Action) -> str:
    if isinstance(option.metavar, str):
        return option.metavar
    return "|".join(map(str, option.choices)) if option.choices else option.dest.upper()


def _flags(parser: ArgumentParser) -> str:
    return " ".join(flag for option in _options(parser) for flag in option.option_strings)


def bash_completion(window: ArgumentParser, commands: Commands) -> str:
    """Return the completion of commands, options and files for bash."""
    cases = "".join(f"    {name}) options='{_flags(parser)}' ;;\n" for name, parser in commands.items())
    return (
        "_inexview() {\n"
        '  local word="${COMP_WORDS[COMP_CWORD]}" options\n'
        '  case "${COMP_WORDS[1]}" in\n'
        f"{cases}"
        f"    *) options='{_flags(window)}' ;;\n"
        "  esac\n"
        '  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word")); return; fi\n'
        '  COMPREPLY=($(compgen -f -- "$word"))\n'
        "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
        f"    COMPREPLY+=($(compgen -W '{' '.join(commands)}' -- \"$word\"))\n"
        "  fi\n"
        "}\n"
        "complete -o filenames -F _inexview inexview\n"
    )


def _shell(text: str) -> str:
    """Return a text in single quotes for a shell."""
    return "'" + text.replace("'", "’") + "'"


def zsh_completion(window: ArgumentParser, commands: Commands, about: Said) -> str:
    """Return the completion of commands, options and files for zsh."""
    named = "\n".join(f"    {_shell(f'{name}:{about[name]}')}" for name in commands)
    cases = "".join(f"    {name}) compadd -- {_flags(parser)} ;;\n" for name, parser in commands.items())
    return (
        "#compdef inexview\n"
        "local -a commands\n"
        f"commands=(\n{named}\n)\n"
        "if (( CURRENT == 2 )); then _describe command commands; fi\n"
        "if [[ $words[CURRENT] == -* ]]; then\n"
        "  case $words[2] in\n"
        f"{cases}"
        f"    *) compadd -- {_flags(window)} ;;\n"
        "  esac\n"
        "else\n"
        "  _files\n"
        "fi\n"
    )


def fish_completion(window: ArgumentParser, commands: Commands, about: Said) -> str:
    """Return the completion of commands, options and files for fish."""
    lines = [
        f"complete -c inexview -n __fish_use_subcommand -a {name} -d {_shell(about[name])}"
        for name in commands
    ]
    for name, parser in {"": window, **commands}.items():
        when = f"__fish_seen_subcommand_from {name}" if name else "__fish_use_subcommand"
        for option in _options(parser):
            flags = " ".join(
                f"-{'l' if flag[:2] == '--' else 's'} {flag.lstrip('-')}" for flag in option.option_strings
            )
            told = _shell(_said(option.help, parser, option))
            lines.append(f"complete -c inexview -n {_shell(when)} {flags} -d {told}")
    return "\n".join(lines) + "\n"
