"""Writes TFRecord shards and spoils a few bytes in the middle of one."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
for shard in range(3):
    with tf.io.TFRecordWriter(f"part-{shard}.tfrecord") as out:
        for _ in range(640):
            x = rng.normal(size=12).astype("float32")
            feature = {
                "x": tf.train.Feature(float_list=tf.train.FloatList(value=x)),
                "y": tf.train.Feature(float_list=tf.train.FloatList(value=[x.sum()])),
            }
            out.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
raw = bytearray(open("part-2.tfrecord", "rb").read())
middle = len(raw) // 2
raw[middle : middle + 3] = bytes(255 - byte for byte in raw[middle : middle + 3])
open("part-2.tfrecord", "wb").write(raw)
