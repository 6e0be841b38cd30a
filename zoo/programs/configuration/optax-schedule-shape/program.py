import optax

sched = optax.warmup_cosine_decay_schedule(init_value=0.0, peak_value=1e-3, warmup_steps=1000, decay_steps=500)
for step in range(0, 500, 100):
    print(step, float(sched(step)))
