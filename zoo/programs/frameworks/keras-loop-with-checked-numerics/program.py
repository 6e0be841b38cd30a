import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
ids = np.random.default_rng(8)
users, items = 120, 80
taste = ids.gamma(0.4, 2.0, size=(users, items)).astype("float32")
seen = ids.poisson(taste).astype("float32")

encoder = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(items)])
optimizer = tf.keras.optimizers.SGD(0.6)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        rate = tf.exp(encoder(x))
        loss = tf.reduce_mean(tf.reduce_sum(rate - x * tf.math.log(rate), axis=1))
    grads = tape.gradient(loss, encoder.trainable_variables)
    loss = tf.debugging.check_numerics(loss, "poisson nll of this batch")
    optimizer.apply_gradients(zip(grads, encoder.trainable_variables))
    return loss


for epoch in range(30):
    for start in range(0, users, 24):
        nll = train_step(seen[start:start + 24])
        print(f"epoch {epoch + 1} batch {start // 24 + 1}/5 - nll {nll:.3f}", flush=True)
