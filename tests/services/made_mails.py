"""Mails as mail programs make them, drawn at random: of each it is known what its sender wrote, and what is quoted,
struck out or hidden."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from html import escape
from random import Random

US = "The Wargame <wargame@wargame.example>"
OWN = (
    "Old Saltbeard: 14H > 15H",
    "Old Saltbeard: 14H > 15H > 16H",
    "Brassmonger: 10K > 11K",
    "Brassmonger: 10K > 11K; replace Rustbucket 9",
    "Sparkplug 64: hold",
    "Rustbucket 9: intercept Carrion Call",
    "- Brassmonger: 10K > 12K",
    "Old Saltbeard: 14H → 15H",
)
WRAPPED = (
    ("Old Saltbeard: 14H > 15H > 16H > 17H > 18H > 19H > 20H > 21H > 22H", "> 23H > 24H"),
    ("Old Saltbeard: 14H > 16I (14H - 15H - 16H - 16I)", " > 18I"),
    ("Brassmonger: 10K -> 11K", "-> 12K"),
)
"""Marches that were wrapped by hand: the second line goes on, and looks like a quote."""

POISON = (
    "Sparkplug 64: 16L > 17L",
    "Rustbucket 9: 20B > 21B",
    "Old Saltbeard: 14H > 13H",
    "Brassmonger: hold",
    "Pale Apothecary: 22K > 21K",
)
WORDS = (
    "Good luck to all.",
    "To arms!",
    "We meet at dawn.",
    "The north is quiet, I hear.",
    "Für die Koalition!",
    "前進！",
)
GREETINGS = ("Hi all,", "Hello,", "Hallo zusammen,", "Bonjour,", "Dear judges,")
CLOSINGS = (
    ("Cheers,", "Bert Monger"),
    ("Best regards", "B. Monger", "Monger & Sons > Hardware > Sales", "Tel. 555 0100"),
    ("Viele Grüße", "Bert"),
    ("--- ", "Monger & Sons", "This e-mail is confidential; transfer to anybody else is forbidden."),
)
FOOTERS = (
    *(
        "Sent from my iPhone",
        "Sent with Proton Mail secure email.",
        "Von meinem iPhone gesendet",
        "Get Outlook for iOS",
    ),
    *(
        "Envoyé de mon iPhone",
        "Enviado do meu iPhone",
        "Inviato da iPhone",
        "Skickat från min iPhone",
        "iPhoneから送信",
    ),
)
ATTRIBUTIONS = (
    "On Thu, Nov 26, 2026 at 9:00 AM {us} wrote:",
    "On Thursday, November 26th, 2026 at 09:00, {us} wrote:",
    "Am Do., 26. Nov. 2026 um 09:00 Uhr schrieb {us}:",
    "Am 26.11.26 um 09:00 schrieb {us}:",
    "Le jeu. 26 nov. 2026 à 09:00, {us} a écrit :",
    "El jue, 26 nov 2026 a las 9:00, {us} escribió:",
    "Em qui., 26 de nov. de 2026 às 09:00, {us} escreveu:",
    "Il giorno gio 26 nov 2026 alle ore 09:00 {us} ha scritto:",
    "Op do 26 nov 2026 om 09:00 schreef {us}:",
    "czw., 26 lis 2026 o 09:00 {us} napisał(a):",
    "Den tors 26 nov. 2026 kl 09:00 skrev {us}:",
    "2026年11月26日(木) 9:00 {us}:",
    "чт, 26 нояб. 2026 г. в 09:00, {us}:",
    "{us}, 26 Kas 2026 Per, 09:00 tarihinde şunu yazdı:",
    "On 26/11/2026 09:00, The Wargame wrote:",
)
LABELS = (
    ("From", "Sent", "To", "Subject", "Thursday, November 26, 2026 9:00 AM"),
    ("Von", "Gesendet", "An", "Betreff", "Donnerstag, 26. November 2026 09:00"),
    ("De ", "Envoyé ", "À ", "Objet ", "jeudi 26 novembre 2026 09:00"),
    ("De", "Enviado", "Para", "Asunto", "jueves, 26 de noviembre de 2026 9:00"),
    ("De", "Enviado", "Para", "Assunto", "quinta-feira, 26 de novembro de 2026 09:00"),
    ("Da", "Inviato", "A", "Oggetto", "giovedì 26 novembre 2026 09:00"),
    ("Van", "Verzonden", "Aan", "Onderwerp", "donderdag 26 november 2026 09:00"),
    ("Od", "Wysłane", "Do", "Temat", "czwartek, 26 listopada 2026 09:00"),
    ("Från", "Skickat", "Till", "Ämne", "den 26 november 2026 09:00"),
    ("差出人", "送信日時", "宛先", "件名", "2026年11月26日 9:00"),
    ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe", "torstai 26. marraskuuta 2026 9.00"),
)
SUBJECTS = {
    "post": (
        "Orders",
        "",
        "Re: Turn 2",
        "AW: Befehle",
        "RES: Trial, turn 2: orders are due",
        "[EXTERNAL] Orders",
        "Zug 2",
    ),
    "sealed": ("Sealed", "Versiegelt", "Re: Secret orders", "Geheim"),
    "strat": ("Strat", "My strats for the battle", "Strategie", "[EXT] Re: Battle strategy, turn 2"),
    "unknown": ("Question", "Hello", "Private", "Plan", "Vertraulich", "Fwd: idea"),
}
CHARSETS = ("utf-8", "utf-8", "utf8mb4", "x-unknown")


@dataclass
class MadeMail:
    """A mail: what its subject asks for (`wrapped`: nothing certain), the lines its sender wrote, and what it quotes or
    hides."""

    asks: str = "post"
    subject: str = ""
    own: list[str] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)
    message: EmailMessage = field(default_factory=EmailMessage)
    shape: str = ""

    @property
    def orders(self) -> list[str]:
        return [line for line in self.own if line in OWN]


def made_mail(random: Random) -> MadeMail:
    """The next mail."""
    mail = MadeMail(asks=random.choice(("post", "post", "post", "post", "sealed", "strat", "unknown")))
    mail.subject = random.choice(SUBJECTS[mail.asks])
    if mail.asks == "strat" and random.random() < 0.8:
        mail.subject += f" {random.choice(('for', '–', '- of'))} Blackened Mirror"
    mail.own = _written(random)
    if mail.asks == "post" and random.random() < 0.05:
        mail.asks, mail.own = "wrapped", [*mail.own, "", *random.choice(WRAPPED)]
    footer = random.choice(FOOTERS) if random.random() < 0.3 else ""
    mail.quoted = _quoted(random) if random.random() < 0.75 else []
    program = random.choice((_gmail, _apple, _outlook, _web_outlook, _yahoo, _proton, _thunderbird, _between))
    struck = random.choice(POISON) if random.random() < 0.15 else ""
    plain, html = program(random, mail.own, footer, mail.quoted, struck)
    mail.shape = f"{program.__name__[1:]}, {random.choice(('plain', 'html', 'both'))}"
    if mail.shape.endswith("plain") and struck:
        mail.shape = mail.shape.replace("plain", "both")
    _fill(random, mail, plain, html)
    return mail


def _written(random: Random) -> list[str]:
    """Paragraphs of what somebody writes, with blank lines between."""
    paragraphs: list[Sequence[str]] = []
    if random.random() < 0.3:
        paragraphs.append([random.choice(GREETINGS)])
    orders = random.sample(OWN, random.choice((1, 1, 2, 3)))
    if random.random() < 0.06:
        orders = []
    if random.random() < 0.3:
        paragraphs += [[line] for line in orders]
    else:
        words = random.sample(WORDS, random.choice((0, 0, 1)))
        paragraphs.append([*orders, *words])
    if random.random() < 0.2:
        paragraphs.append([random.choice(WORDS)])
    if random.random() < 0.35:
        paragraphs.append(random.choice(CLOSINGS))
    lines: list[str] = []
    for paragraph in filter(None, paragraphs):
        lines += ["", *paragraph] if lines else paragraph
    return lines


def _quoted(random: Random) -> list[str]:
    lines = ["Trial, turn 2", "", f"- {random.choice(POISON)}", *random.sample(POISON, 2), "What do your armies do?"]
    return random.sample(lines, random.randrange(3, len(lines) + 1))


def _attribution(random: Random) -> str:
    return random.choice(ATTRIBUTIONS).format(us=US)


def _labels(random: Random) -> list[tuple[str, str]]:
    *labels, when = random.choice(LABELS)
    said = (US if random.random() < 0.7 else "The Wargame", when, "Bert Monger", "Trial, turn 2: orders are due")
    return list(zip(labels, said, strict=True))


def _cited(lines: Sequence[str]) -> list[str]:
    return [f"> {line}".rstrip() for line in lines]


def _wrapped(random: Random, line: str) -> list[str]:
    """A long attribution in two lines, as Gmail wraps it."""
    if len(line) < 60 or " <" not in line or random.random() < 0.5:
        return [line]
    first, _, rest = line.partition(" <")
    return [f"{first} <", rest] if random.random() < 0.5 else [first, f"<{rest}"]


def _html_lines(lines: Sequence[str], tag: str = "div") -> str:
    return "".join(f"<{tag}>{escape(line) or '<br>'}</{tag}>" for line in lines)


def _struck(line: str) -> str:
    return f"<div><s>{escape(line)}</s></div><div style='display:none'>{escape(line)}</div>" if line else ""


def _gmail(random: Random, own: list[str], footer: str, quoted: list[str], struck: str) -> tuple[list[str], str]:
    said, told = [*own, *([footer] if footer else [])], _attribution(random)
    plain = [*said, *([struck] if struck else [])]
    html = f'<div dir="ltr">{_html_lines(said)}{_struck(struck)}</div>'
    if quoted:
        plain += ["", *_wrapped(random, told), *_cited(quoted)]
        html += f'<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(told)}<br></div>'
        html += f'<blockquote class="gmail_quote">{"<br>".join(map(escape, quoted))}</blockquote></div>'
    return plain, html


def _apple(random: Random, own: list[str], footer: str, quoted: list[str], struck: str) -> tuple[list[str], str]:
    said, told = [*own, *(["", footer] if footer else [])], _attribution(random)
    plain = [*said, *([struck] if struck else [])]
    html = (
        f"<html><head><style>p > a {{color:red}}</style></head><body>{'<br>'.join(map(escape, said))}{_struck(struck)}"
    )
    if quoted:
        plain += ["", *_cited([told, "", *quoted])] if random.random() < 0.5 else ["", told, "", *_cited(quoted)]
        inner = "<br>".join(map(escape, quoted))
        html += (
            f'<br><div><br><blockquote type="cite"><div>{escape(told)}</div><br><div>{inner}</div></blockquote></div>'
        )
    return plain, f"{html}</body></html>"


def _outlook(random: Random, own: list[str], footer: str, quoted: list[str], struck: str) -> tuple[list[str], str]:
    said = [*own, *(["", footer] if footer else [])]
    plain = [*said, *([struck] if struck else [])]
    html = '<html><head><title>x</title></head><body><div class="WordSection1">'
    html += "".join(f"<p class=MsoNormal>{escape(line) or '&nbsp;'}<o:p></o:p></p>" for line in said)
    html += f"<p class=MsoNormal><s>{escape(struck)}</s></p>" if struck else ""
    if quoted:
        labels = _labels(random)
        rule = [random.choice(("-----Original Message-----", "________________________________", ""))]
        plain += ["", *filter(None, rule), *(f"{label}: {word}" for label, word in labels), "", *quoted]
        head = "<br>".join(f"<b>{label}:</b> {escape(word)}" for label, word in labels)
        html += f"<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in'><p>{head}</p>"
        html += "</div></div>" + "".join(f"<p class=MsoNormal>{escape(line)}</p>" for line in quoted)
    return plain, f"{html}</div></body></html>"


def _web_outlook(random: Random, own: list[str], footer: str, quoted: list[str], struck: str) -> tuple[list[str], str]:
    plain, _ = _outlook(random, own, footer, quoted, struck)
    said = [*own, *(["", footer] if footer else [])]
    html = f"<div>{_html_lines(said)}{_struck(struck)}</div>"
    if quoted:
        head = "<br>".join(f"<b>{label}:</b> {escape(word)}" for label, word in _labels(random))
        html += f'<div id="appendonsend"></div><hr><div id="divRplyFwdMsg" dir="ltr"><font>{head}</font></div>'
        html += f"<div>{_html_lines(quoted)}</div>"
    return plain, html


def _yahoo(random: Random, own: list[str], footer: str, quoted: list[str], struck: str) -> tuple[list[str], str]:
    said, told = [*own, *(["", footer] if footer else [])], _attribution(random)
    plain = [*said, *([struck] if struck else [])]
    html = f'<div class="ydp1">{_html_lines(said)}{_struck(struck)}</div>'
    if quoted:
        plain += ["", f"    {told}", "", *(f"  {line}" for line in quoted)]
        html += f'<div id="ydp2" class="yahoo_quoted"><div><div>{escape(told)}</div>{_html_lines(quoted)}</div></div>'
    return plain, html


def _proton(random: Random, own: list[str], footer: str, quoted: list[str], struck: str) -> tuple[list[str], str]:
    said, told = [*own, *(["", footer] if footer else [])], _attribution(random)
    plain = [*said, *([struck] if struck else [])]
    html = f'<div style="font-family: Arial;">{_html_lines(said)}{_struck(struck)}</div>'
    if quoted:
        plain += ["", told, "", *_cited(quoted)]
        inner = "<br>".join(map(escape, quoted))
        html += f'<div class="protonmail_quote">{escape(told)}<br><blockquote type="cite">{inner}</blockquote></div>'
    return plain, html


def _thunderbird(random: Random, own: list[str], footer: str, quoted: list[str], struck: str) -> tuple[list[str], str]:
    """As many set it up: the answer stands below what it quotes."""
    said, told = [*own, *([footer] if footer else [])], _attribution(random)
    plain = [*said, *([struck] if struck else [])]
    html = f"{_html_lines(said, 'p')}{_struck(struck)}"
    if quoted:
        plain = [told, *_cited(quoted), "", *plain]
        inner = "<br>".join(map(escape, quoted))
        html = (
            f'<div class="moz-cite-prefix">{escape(told)}<br></div><blockquote type="cite">{inner}</blockquote>{html}'
        )
    return plain, f"<html><body>{html}</body></html>"


def _between(random: Random, own: list[str], footer: str, quoted: list[str], struck: str) -> tuple[list[str], str]:
    """The answer stands between the lines that it answers."""
    said, told = [*own, *(["", footer] if footer else [])], _attribution(random)
    struck_too = [struck] if struck else []
    if not quoted:
        return _gmail(random, own, footer, quoted, struck)
    half = len(quoted) // 2
    plain = [*_wrapped(random, told), *_cited(quoted[:half]), "", *said, *struck_too, "", *_cited(quoted[half:])]
    first, last = ("<br>".join(map(escape, part)) for part in (quoted[:half], quoted[half:]))
    html = f'<div class="gmail_quote"><div class="gmail_attr">{escape(told)}</div><blockquote>{first}</blockquote>'
    html += f"{_html_lines(said)}{_struck(struck)}<blockquote>{last}</blockquote></div>"
    return plain, html


def _fill(random: Random, mail: MadeMail, plain: list[str], html: str) -> None:
    kind = mail.shape.rpartition(" ")[2]
    charset, coding = random.choice(CHARSETS), random.choice(("quoted-printable", "base64", "8bit"))
    made = mail.message
    made["Subject"] = mail.subject
    if kind == "html":
        made.set_content(html, subtype="html", cte=coding)
    else:
        made.set_content("\n".join(plain) + "\n", cte=coding)
    if kind == "plain" and random.random() < 0.3:
        made.set_param("format", "flowed")
    if kind == "both":
        made.add_alternative(html, subtype="html", cte=coding)
    for part in made.walk():
        if not part.is_multipart():
            part.set_param("charset", charset)
