"""Signals by number, by name and by the words shells use, as Linux numbers them."""

from __future__ import annotations

import re
from typing import Final

SIGNALS: Final = {
    "SIGHUP": 1,
    "SIGINT": 2,
    "SIGQUIT": 3,
    "SIGILL": 4,
    "SIGTRAP": 5,
    "SIGABRT": 6,
    "SIGBUS": 7,
    "SIGFPE": 8,
    "SIGKILL": 9,
    "SIGUSR1": 10,
    "SIGSEGV": 11,
    "SIGUSR2": 12,
    "SIGPIPE": 13,
    "SIGALRM": 14,
    "SIGTERM": 15,
    "SIGCONT": 18,
    "SIGSTOP": 19,
    "SIGXCPU": 24,
    "SIGXFSZ": 25,
}
_WORDS: Final = {
    "killed": 9,
    "terminated": 15,
    "aborted": 6,
    "segmentation fault": 11,
    "bus error": 7,
    "floating point exception": 8,
    "illegal instruction": 4,
    "hangup": 1,
    "trace/breakpoint trap": 5,
    "user defined signal 1": 10,
    "user defined signal 2": 12,
    "cpu time limit exceeded": 24,
    "file size limit exceeded": 25,
    "out of memory": 9,
}
_ABROAD: Final = {
    9: (
        "Getötet",
        "Processus arrêté",
        "Terminado (killed)",
        "Ucciso",
        "Morto",
        "Убито",
        "已杀死",
        "強制終了",
        "죽었음",
    ),
    11: (
        "Speicherzugriffsfehler",
        "Erreur de segmentation",
        "Violación de segmento",
        "Errore di segmentazione",
        "Falha de segmentação",
        "Ошибка сегментирования",
        "段错误",
        "세그멘테이션 오류",
    ),
    6: ("Abgebrochen", "Abandon", "Abortado", "Annullato", "Аварийный останов", "已放弃", "中止", "중지됨"),
    7: (
        "Bus-Zugriffsfehler",
        "Erreur du bus",
        "Error del bus",
        "Errore di bus",
        "Erro no barramento",
        "Ошибка шины",
        "总线错误",
        "バスエラー",
        "버스 오류",
    ),
    4: (
        "Ungültiger Maschinenbefehl",
        "Instruction non permise",
        "Instrucción ilegal",
        "Istruzione non consentita",
        "Instrução ilegal",
        "Недопустимая инструкция",
        "非法指令",
    ),
    8: (
        "Gleitkomma-Ausnahme",
        "Exception en point flottant",
        "Excepción de coma flotante",
        "Eccezione in virgola mobile",
        "Exceção de ponto flutuante",
        "Исключение в операции \u0441 плавающей точкой",
        "浮点数例外",
        "浮動小数点例外",
    ),
}
"""What the C library's catalogues make of the words for a signal, in the languages most accounts are set to."""
ABROAD: Final = "|".join(re.escape(word) for words in _ABROAD.values() for word in words)
ALONE: Final = "|".join(re.escape(word) for number in (9, 11) for word in _ABROAD[number] if word != "Morto")
"""Those that are a whole line of their own and no ordinary word of a program."""
LINE_ABROAD: Final = "Zeile|ligne|línea|riga|linha|строка|第|行|줄"
"""How the shell names the line of a script."""
SHELL_WORDS: Final = "|".join(
    re.escape(word[0].upper() + word[1:]).replace("Cpu", "CPU")
    for word in sorted(_WORDS, key=len, reverse=True)
    if word != "out of memory"
)
"""Alternation of what a shell prints for a child that a signal ended."""


def spoken(words: str) -> int | None:
    """The signal that a shell's or srun's words stand for, or None."""
    said = words.strip()
    return _WORDS.get(said.lower()) or next((number for number, known in _ABROAD.items() if said in known), None)


def signal_of(code: int, *, shell: bool) -> int | None:
    """The signal in an exit code: negative codes always, 128 + N where a shell or container reports it."""
    if -65 < code < 0:
        return -code
    if shell and 128 < code <= 128 + 31:
        return code - 128
    return None
