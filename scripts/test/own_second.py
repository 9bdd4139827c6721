"""A pytest plugin for the published SDK's own suite, which names datasets by the current second. Two such tests within one second
would share a dataset, so each test waits for a new second.
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
