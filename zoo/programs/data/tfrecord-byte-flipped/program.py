import keras
import tensorflow as tf


def parse(record):
    row = tf.io.parse_single_example(
        record, {"x": tf.io.FixedLenFeature([12], tf.float32), "y": tf.io.FixedLenFeature([1], tf.float32)}
    )
    return row["x"], row["y"]


files = [f"part-{shard}.tfrecord" for shard in range(3)]
data = tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(2)
model = keras.Sequential([keras.Input((12,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
print("shards:", ", ".join(files))
model.fit(data, epochs=3, verbose=2)
model.save("sum.keras")
