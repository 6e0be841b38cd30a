import argparse
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "1"
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--resume", action="store_true")
args = parser.parse_args()

step = tf.Variable(0, dtype=tf.int64)
kernel = tf.Variable(tf.random.normal((64, 64)))
checkpoint = tf.train.Checkpoint(step=step, kernel=kernel)
manager = tf.train.CheckpointManager(checkpoint, "model_dir", max_to_keep=3)
print("I ranker: starting, batch 16, lr 0.01", flush=True)
if args.resume and manager.latest_checkpoint:
    print(f"I ranker: restoring {manager.latest_checkpoint}", flush=True)
    checkpoint.restore(manager.latest_checkpoint).assert_consumed()
    print(f"I ranker: at step {int(step)}", flush=True)
optimizer = tf.keras.optimizers.SGD(0.01)
for _ in range(200):
    x = tf.random.normal((16, 64))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ kernel - x) ** 2)
    optimizer.apply_gradients([(tape.gradient(loss, kernel), kernel)])
    step.assign_add(1)
    if int(step) % 50 == 0:
        print(f"I ranker: step {int(step)} loss {float(loss):.4f}", flush=True)
