"""The weakness (CWE) that each test of bandit and ruff looks for. Both programs use the same
numbers.

Bandit itself sometimes gives the CWE of a broad class, such as 20 (improper input validation). This
table then gives the specific weakness, such as 611 (XML external entities).
"""

from __future__ import annotations

from typing import Final

_TESTS_OF_CWE: Final = {
    20: "612",
    22: "202",
    78: "404 601 602 603 604 605 606 607",
    79: "308 701 702 703 704",
    89: "608 610 611",
    95: "102 307",
    155: "609",
    259: "105 106 107",
    284: "412",
    295: "323 501 507",
    319: "312 321 401 402 415 508 509",
    326: "505",
    327: "303 304 305 324 413 502 503 504",
    330: "311",
    377: "108 306",
    400: "113",
    489: "201",
    494: "615",
    502: "301 302 403 506 614",
    605: "104",
    611: "313 314 315 316 317 318 319 320 405 406 407 408 409 410",
    703: "101 110 112",
    732: "103",
    838: "613",
    918: "310",
}
CWE_OF_TEST: Final = {
    number: cwe for cwe, numbers in _TESTS_OF_CWE.items() for number in numbers.split()
}
