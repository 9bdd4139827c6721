import { Problem, type ProblemKind } from '@postil/contract/wire/errors.ts'
import type { SecurityEvent } from '#platform/auth/security-log.ts'

const refusals: { readonly [K in ProblemKind]?: SecurityEvent } = {
  unauthorized: 'credentials refused',
  forbidden: 'not allowed',
  second_factor_due: 'not allowed',
  too_many: 'too many requests',
  validation: 'input refused',
}

/** The security event of a refused request; undefined if the refusal says nothing about security. */
export const securityEventOf = (error: unknown): SecurityEvent | undefined =>
  error instanceof Problem ? refusals[error.data.kind] : undefined
