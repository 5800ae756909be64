// The exports of the client.

import { behavior } from './Bindings/behaviors.js';
import { bind } from './Bindings/bindings.js';
import { format } from './Bindings/formats.js';
import { Refusal } from './Core/request.js';
import { Session } from './Core/session.js';
import { session } from './Core/sessions.js';

export const client = { behavior, bind, format, Refusal, Session, session };
