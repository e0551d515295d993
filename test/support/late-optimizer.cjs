/**
 * Has V8 optimise a function only after it ran fifteen times as long as by default. Most processes of the tests end before
 * that pays: pyright takes a fifth less of a processor from its start to its end, the workers a tenth.
 */
require('node:v8').setFlagsFromString('--interrupt-budget=2000000');
