kl = 0.01
for it in range(12):
    kl *= 3
    print(f"ppo iter {it} reward {5 - kl:.2f} kl {kl:.3f}")
    if kl > 20:
        raise RuntimeError(f"policy KL {kl:.1f} left the trust region (limit 20), reward collapsed")
