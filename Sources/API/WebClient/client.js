// The exports of the client.

import { behavior } from './Bindings/behavior.js';
import './Bindings/registry.js';
import { bind } from './Bindings/view-model.js';
import { format } from './Expressions/formats.js';
import { Refusal } from './Service/request.js';
import { Session } from './Session/session.js';
import { session } from './Session/sessions.js';

export const client = { behavior, bind, format, Refusal, Session, session };
