"""
A plugin of pytest for the published SDK's own suite, which names datasets by the second of the clock. Two such tests within
one second would meet each other's dataset: here each waits for a second of its own.
"""

import inspect
import time

_last = 0


def pytest_runtest_setup(item):
    global _last
    if "strftime" not in inspect.getsource(item.function):
        return
    while int(time.time()) == _last:
        time.sleep(0.02)
    _last = int(time.time())
