import type { Message, Reason } from './message.ts'
import type { ReasonPart } from './reason-part.ts'
import { reasonSentences } from './reasons.ts'
import { refusalSentences } from './refusals.ts'

const sentences: { readonly [code: string]: string } = { ...refusalSentences, ...reasonSentences }

/** The English sentence of a message. Text without a code is returned unchanged. */
export const renderMessage = (reason: Reason): string => {
  if (typeof reason === 'string') return reason
  const { code, params, reason: inner } = reason
  return (sentences[code] ?? code).replace(/\{(\w+)\}/g, (whole, name: string) =>
    name === 'reason' && inner !== undefined ? renderMessage(inner) : (params[name] ?? whole),
  )
}

const flatten = ({ code, params, reason }: Message): ReasonPart[] | null => {
  const own = { code, params: { ...params } }
  if (reason === undefined) return [own]
  const inner = typeof reason === 'string' ? null : flatten(reason)
  return inner && [own, ...inner]
}

/** The codes of a message and of its reasons, outermost first. Empty if any of them is text without a code. */
export const partsOf = (reason: Reason): ReasonPart[] => (typeof reason === 'string' ? [] : (flatten(reason) ?? []))
