import type { ProblemData, ProblemKind } from '@postil/contract/wire/errors.ts'
import { messageHeader, printMessageHeader } from '@postil/contract/wire/message-header.ts'

/** A refusal at the transport level. Features use `Problem`. */
export class HttpRefusal extends Error {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  constructor(status: number, detail: string, headers: { readonly [name: string]: string } = {}) {
    super(detail)
    this.name = 'HttpRefusal'
    this.status = status
    this.headers = headers
  }
}

export type ErrorAnswer = {
  readonly status: number
  readonly body: { readonly [key: string]: unknown }
  readonly headers: { readonly [name: string]: string }
}

const coded = (name: string, params: { readonly [key: string]: unknown }) => ({
  detail: { code: `argilla.api.errors::${name}`, params },
})
const sentence = (problem: ProblemData) => ({ detail: problem.detail })

type Printer = { readonly status: number; readonly body: (problem: ProblemData) => { readonly [key: string]: unknown } }

const printers: { readonly [K in ProblemKind]: Printer } = {
  unauthorized: { status: 401, body: ({ detail }) => coded('UnauthorizedError', { detail }) },
  forbidden: { status: 403, body: ({ detail }) => coded('ForbiddenOperationError', { detail }) },
  second_factor_due: { status: 403, body: ({ code, detail }) => ({ code, message: detail }) },
  validation: { status: 422, body: ({ errors }) => coded('ValidationError', { errors: errors ?? [] }) },
  not_found: { status: 404, body: sentence },
  conflict: { status: 409, body: sentence },
  unprocessable: { status: 422, body: sentence },
  business: { status: 422, body: ({ code, detail }) => ({ code, message: detail }) },
  bad_request: { status: 400, body: ({ detail }) => coded('BadRequestError', { message: detail }) },
  method_not_allowed: { status: 405, body: sentence },
  too_large: { status: 413, body: sentence },
  too_many: { status: 429, body: sentence },
  unavailable: { status: 503, body: sentence },
  provider_refused: { status: 401, body: sentence },
  fault: { status: 500, body: ({ detail }) => coded('GenericServerError', { type: 'IdentityProviderError', message: detail }) },
}

/** Status, body and headers of an expected refusal. */
export const problemAnswer = (problem: ProblemData): ErrorAnswer => {
  const { status, body } = printers[problem.kind]
  return {
    status,
    body: { ...body(problem), ...problem.extra },
    headers: {
      ...(problem.retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(problem.retryAfterSeconds)) }),
      ...(problem.message && { [messageHeader]: printMessageHeader(problem.message) }),
    },
  }
}

/** What clients learn about a server fault. */
export const faultSentence = (requestId: string): string =>
  `The request failed because of a server error. For the cause, see request ${requestId} in the server log`

/**
 * The response to a server fault. It contains only the request ID, because fault messages and stacks contain SQL, paths and
 * values. The log has the details, with the same ID.
 */
export const faultAnswer = (requestId: string): ErrorAnswer => ({
  status: 500,
  body: coded('GenericServerError', {
    type: 'InternalServerError',
    message: faultSentence(requestId),
    request: requestId,
  }),
  headers: {},
})
