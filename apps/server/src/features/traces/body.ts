import { maxSteps } from '@postil/contract/trace.ts'
import { maxTraces, TracesBody } from '@postil/contract/traces.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonFault } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { bodyParser, checkBody } from '#platform/http/bodies/body-parsers.ts'
import { parseJson } from '#platform/http/bodies/json-body.ts'
import { otlpParts } from './convert/otlp.ts'

/** The traces in a request. They are converted in the body pool's thread, because requests can be large. */
export const tracesBody = bodyParser('traces.store', (bytes) => {
  const { resourceSpans } = checkBody(TracesBody, parseJson(bytes))
  const parts = otlpParts({ resourceSpans })
  if ('fault' in parts) throw unprocessable(message('tracesRefused', {}, parts.fault))
  if (parts.length > maxTraces) throw unprocessable(message('tooManyTraces', { found: parts.length, limit: maxTraces }))
  for (const { trace, steps } of parts) {
    const fault = steps.length > maxSteps ? message('traceTooLong', { limit: maxSteps }) : jsonFault(steps)
    if (fault !== null) throw unprocessable(message('traceRefused', { trace }, fault))
  }
  return parts
})
