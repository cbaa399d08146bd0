"""Named entities: every name of the ISO sets that SGML and the IEEE's articles know."""

from __future__ import annotations

import unicodedata

import pytest

from inexview.core.article.document import Document
from inexview.core.text.xml import entity_text

# ISO 8879:1986, annex D, set by set; accented letters, Cyrillic and box drawing have
# regular names, made below.
ISO_8879 = {
    "ISOamsa": (
        "cularr curarr dArr darr2 dharl dharr dlarr drarr hArr harr harrw lAarr Larr larr2 larrhk larrlp "
        "larrtl lhard lharu lrarr2 lrhar2 lsh map mumap nearr nhArr nharr nlArr nlarr nrArr nrarr nwarr "
        "olarr orarr rAarr Rarr rarr2 rarrhk rarrlp rarrtl rarrw rhard rharu rlarr2 rlhar2 rsh uArr uarr2 "
        "uharl uharr vArr varr xhArr xharr xlArr xrArr"
    ),
    "ISOamsb": (
        "amalg Barwed barwed Cap coprod Cup cuvee cuwed diam divonx intcal lthree ltimes minusb oast ocir "
        "odash odot ominus oplus osol otimes plusb plusdo prod rthree rtimes sdot sdotb setmn sqcap sqcup "
        "ssetmn sstarf sum timesb top uplus wreath xcirc xdtri xutri"
    ),
    "ISOamsc": "dlcorn drcorn lceil lfloor lpargt rceil rfloor rpargt ulcorn urcorn",
    "ISOamsn": (
        "gnap gnE gne gnsim gvnE lnap lnE lne lnsim lvnE nap ncong nequiv ngE nge nges ngt nlE nle nles "
        "nlt nltri nltrie nmid npar npr npre nrtri nrtrie nsc nsce nsim nsime nsmid nspar nsub nsubE "
        "nsube nsup nsupE nsupe nVDash nVdash nvDash nvdash prnap prnE prnsim scnap scnE scnsim subnE "
        "subne supnE supne vsubnE vsubne vsupnE vsupne"
    ),
    "ISOamso": (
        "ang angmsd beth bprime comp daleth ell empty gimel inodot jnodot nexist oS planck real sbsol "
        "vprime weierp"
    ),
    "ISOamsr": (
        "ape asymp bcong bepsi bowtie bsim bsime bump bumpe cire colone cuepr cuesc cupre dashv ecir "
        "ecolon eDot efDot egs els erDot esdot fork frown gap gE gEl gel ges Gg gl gsdot gsim Gt lap ldot "
        "lE lEg leg les lg Ll lsim Lt ltrie mid models pr prap pre prsim rtrie samalg sc scap sccue sce "
        "scsim sfrown smid smile spar sqsub sqsube sqsup sqsupe ssmile Sub subE Sup supE thkap thksim "
        "trie twixt Vdash vDash vdash veebar vltri vprop vrtri Vvdash"
    ),
    "ISOdia": "acute breve caron cedil circ dblac die dot grave macr ogon ring tilde uml",
    "ISOgrk3": (
        "alpha beta chi Delta delta epsi epsis epsiv eta Gamma gamma gammad iota kappa kappav Lambda "
        "lambda mu nu Omega omega Phi phis phiv Pi pi piv Psi psi rho rhov Sigma sigma sigmav tau Theta "
        "thetas thetav Upsi upsi Xi xi zeta"
    ),
    "ISOgrk4": (
        "b.alpha b.beta b.chi b.Delta b.delta b.epsi b.epsis b.epsiv b.eta b.Gamma b.gamma b.gammad "
        "b.iota b.kappa b.kappav b.Lambda b.lambda b.mu b.nu b.Omega b.omega b.Phi b.phis b.phiv b.Pi "
        "b.pi b.piv b.Psi b.psi b.rho b.rhov b.Sigma b.sigma b.sigmav b.tau b.Theta b.thetas b.thetav "
        "b.Upsi b.upsi b.Xi b.xi b.zeta"
    ),
    "ISOnum": (
        "amp apos ast brvbar bsol cent colon comma commat copy curren darr deg divide dollar equals excl "
        "frac12 frac14 frac18 frac34 frac38 frac58 frac78 gt half horbar hyphen iexcl iquest laquo larr "
        "lcub ldquo lowbar lpar lsqb lsquo lt micro middot nbsp not num ohm ordf ordm para percnt period "
        "plus plusmn pound quest quot raquo rarr rcub rdquo reg rpar rsqb rsquo sect semi shy sol sung "
        "sup1 sup2 sup3 times trade uarr verbar yen"
    ),
    "ISOpub": (
        "blank blk14 blk12 blk34 block bull caret check cir clubs copysr cross Dagger dagger dash diams "
        "dlcrop drcrop dtri dtrif emsp emsp13 emsp14 ensp female ffilig fflig ffllig filig fjlig flat "
        "fllig frac13 frac15 frac16 frac23 frac25 frac35 frac45 frac56 hairsp hearts hellip hybull incare "
        "ldquor lhblk loz lozf lsquor ltri ltrif male malt marker mdash mldr natur ndash nldr numsp phone "
        "puncsp rdquor rect rsquor rtri rtrif rx sext sharp spades squ squf star starf target telrec "
        "thinsp uhblk ulcrop urcrop utri utrif vellip"
    ),
    "ISOtech": (
        "aleph and ang90 angsph angst ap becaus bernou bottom cap compfn cong conint cup Dot DotDot equiv "
        "exist fnof forall ge hamilt iff infin int isin lagran lang lArr le lowast minus mnplus nabla ne "
        "ni notin or order par part permil perp phmmat Prime prime prop radic rang rArr sim sime square "
        "sub sube sup supe tdot there4 tprime Verbar wedgeq"
    ),
    "ISOlat1, ISOlat2": (
        "AElig aelig Aring aring Ccedil ccedil ETH eth Ntilde ntilde Oslash oslash szlig THORN thorn yuml "
        "Yuml Dstrok dstrok ENG eng Hstrok hstrok IJlig ijlig inodot kgreen Lmidot lmidot Lstrok lstrok "
        "napos OElig oelig Tstrok tstrok Idot gacute Zdot zdot Cdot cdot Edot edot Gdot gdot"
    ),
}

ACCENTS = {
    "grave": ("AEIOU", "\u0300"), "acute": ("ACEILNORSUYZ", "\u0301"), "circ": ("ACEGHIJOSUWY", "\u0302"),
    "tilde": ("AINOU", "\u0303"), "uml": ("AEIOUY", "\u0308"), "caron": ("CDELNRSTZ", "\u030c"),
    "macr": ("AEIOU", "\u0304"), "breve": ("AGU", "\u0306"), "ogon": ("AEIU", "\u0328"),
    "ring": ("AU", "\u030a"), "dblac": ("OU", "\u030b"), "cedil": ("CKLNRST", "\u0327"),
}  # fmt: skip
CYRILLIC = "a b v g d ie io zh z i j k l m n o p r s t u f kh ts ch sh shch hard y soft e yu ya".split()  # noqa: SIM905


@pytest.mark.parametrize("group", ISO_8879)
def test_every_name_of_the_iso_set_is_known(group: str) -> None:
    assert [name for name in ISO_8879[group].split() if entity_text(name) is None] == []


def test_accented_letters_are_the_letter_with_the_accent() -> None:
    for accent, (letters, mark) in ACCENTS.items():
        for letter in letters + letters.lower():
            assert entity_text(letter + accent) == unicodedata.normalize("NFC", letter + mark), (
                letter + accent
            )


def test_cyrillic_is_spelt_as_iso_spells_it() -> None:
    small = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
    assert [entity_text(f"{name}cy") for name in CYRILLIC] == list(small)
    assert [entity_text(f"{name.upper()}cy") for name in CYRILLIC] == list(small.upper())
    others = "dj gj juk ds iuk yi jser lj nj tsh kj ubr dz".split()  # noqa: SIM905
    assert "".join(entity_text(f"{name}cy") or "?" for name in others) == "ђѓєѕіїјљњћќўџ"


def test_greek_is_one_alphabet_under_its_four_names() -> None:
    names = {
        "agr": "alpha",
        "bgr": "beta",
        "thgr": "thetas",
        "pgr": "pi",
        "phgr": "phis",
        "OHgr": "Omega",
        "Ggr": "Gamma",
    }
    for letter, symbol in names.items():
        assert entity_text(letter) == entity_text(symbol)
        bold = entity_text(f"b.{symbol}")
        assert bold is not None
        assert bold != entity_text(letter)
        assert unicodedata.normalize("NFKC", bold) == entity_text(letter)
    capitals = "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split()  # noqa: SIM905
    assert (
        "".join(unicodedata.normalize("NFKC", entity_text(f"b.{name}") or "?") for name in capitals)
        == "ΓΔΘΛΞΠΣΦΨΩ"
    )
    assert [entity_text(f"{letter}acgr") for letter in ("a", "EE", "oh")] == ["ά", "Ή", "ώ"]


def test_box_drawing_has_a_name_for_each_pair_of_lines() -> None:
    names = [f"box{one}{two}" for one in ("d", "D", "u", "U", "v", "V") for two in ("l", "L", "r", "R")]
    names += [f"box{one}{two}" for one in ("h", "H") for two in ("d", "D", "u", "U")]
    names += ["boxh", "boxH", "boxv", "boxV", "boxvh", "boxvH", "boxVh", "boxVH"]
    drawn = {entity_text(name) for name in names}
    assert len(drawn) == len(names) == 40
    assert all("BOX DRAWINGS" in unicodedata.name(character or "?") for character in drawn)


def test_names_differ_by_case_and_nothing_is_made_up() -> None:
    assert (entity_text("Prime"), entity_text("prime"), entity_text("PRIME")) == ("″", "′", None)
    assert (entity_text("THgr"), entity_text("Thgr")) == ("Θ", None)
    assert entity_text("copy;") is None


def test_an_article_of_the_ieee_reads_as_it_was_printed() -> None:
    document = Document.from_bytes(
        b"<article><p>Ren&eacute; &mdash; &ldquo;O(n&sup2;)&rdquo; &le; &b.Gamma;&rarr2;&infin;</p></article>"
    )
    assert document.text == "René — “O(n²)” ≤ \U0001d6aa⇉∞"
    assert document.warnings == ()
