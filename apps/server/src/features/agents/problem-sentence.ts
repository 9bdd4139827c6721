import type { Problem } from '@postil/contract/wire/errors.ts'

/** The message of an error, as in the API. For invalid input, one line per problem, with the path of the value. */
export const problemSentence = ({ data: { detail, errors } }: Problem): string =>
  errors === undefined ? detail : errors.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'arguments'}: ${msg}`).join('\n')
