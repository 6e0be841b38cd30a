import tensorflow as tf

step = tf.Variable(4000, dtype=tf.int64)
kernel = tf.Variable(tf.random.normal((64, 64)))
saved = tf.train.Checkpoint(step=step, kernel=kernel).save("model_dir/ckpt")
name = saved + ".data-00000-of-00001"
raw = bytearray(open(name, "rb").read())
at = len(raw) // 2
raw[at : at + 64] = bytes(64)
open(name, "wb").write(raw)
