import hashlib
open("model.bin", "wb").write(b"weights" * 100)
want = hashlib.sha256(b"other").hexdigest()
have = hashlib.sha256(open("model.bin", "rb").read()).hexdigest()
if want != have:
    raise ValueError(f"checksum of model.bin is {have[:12]}, expected {want[:12]}")
