"""Runs its own checks first; their names are full of failure words."""
import time
import unittest

import torch


class TestFailureHandling(unittest.TestCase):
    def test_error_is_raised_for_nan_loss(self):
        with self.assertRaises(FloatingPointError):
            raise FloatingPointError("loss is nan")

    def test_killed_worker_is_restarted(self):
        self.assertTrue(True)

    def test_out_of_memory_halves_batch(self):
        self.assertEqual(64 // 2, 32)

    @unittest.skip("CUDA error paths need a GPU")
    def test_device_side_assert(self):
        pass

    @unittest.expectedFailure
    def test_resume_after_crash(self):
        self.fail("resume is not supported yet")


unittest.main(argv=["smoke"], verbosity=2, exit=False)
w = torch.zeros(5, requires_grad=True)
for step in range(1, 101):
    loss = (w - 1).square().sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.02 * w.grad
        w.grad = None
    if step % 10 == 0:
        print(f"{time.strftime('%H:%M:%S')} step {step} loss {loss.item():.4f}", flush=True)
print("ok")
