"""Writes short clips; one of them was renamed from another format."""
import math
import struct
import wave

for clip in range(240):
    with wave.open(f"clip_{clip:03d}.wav", "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(8000)
        pitch = 200 if clip % 2 else 500
        out.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(pitch * n / 1300))) for n in range(800)))
with open("clip_171.wav", "wb") as out:
    out.write(b"ID3\x04\x00\x00\x00\x00\x00\x23TSSE" + bytes(range(256)) * 6)
