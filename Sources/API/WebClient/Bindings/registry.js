// The bindings of the first module, in the order in which an element gets them.

import { attr } from './attr.js';
import { behaving } from './behavior.js';
import { classes } from './class.js';
import { each } from './each.js';
import { ignore } from './ignore.js';
import { input, inputOnEvent } from './input.js';
import { register } from './plans.js';
import { prop } from './prop.js';
import { show } from './show.js';
import { style } from './style.js';
import { text } from './text.js';
import { value } from './value.js';
import { viewModel } from './view-model.js';

register([viewModel, ignore, each, text, attr, prop, classes, style, show, behaving, input, inputOnEvent, value]);
