import tensorflow as tf

print("devices:", tf.config.list_physical_devices())
tf.debugging.set_log_device_placement(False)
tf.config.set_soft_device_placement(False)
with tf.device("/GPU:0"):
    w = tf.random.normal((64, 64))
print(w.device)
