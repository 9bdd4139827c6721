import type { Reason } from '@postil/contract/wire/message.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import type { Config } from '#platform/config/read-config.ts'
import { askModel, type Meter, type ModelContext, ModelFault, type ModelReply, type ModelRequest } from '../client.ts'
import type { ConnectionRow } from '../connections/rows.ts'
import { combineOrders, swappedFields, swapsIn } from './both-orders.ts'
import type { Admitted, Budget } from './budget.ts'
import { messagesFor, type PromptRecord, type PromptSource, requestFor, sourceFor } from './prompt.ts'
import { type Answered, combineSamples, readAnswer } from './read-answer.ts'
import type { RunSetup } from './setup.ts'

type AskContext = ModelContext & { readonly config: Pick<Config, 'maxAnswer'> }
type Asking = {
  readonly connection: ConnectionRow
  readonly source: PromptSource
  readonly setup: RunSetup
  readonly budget: Budget
  readonly signal?: AbortSignal | undefined
  /** The maximum number of retries. If omitted, the default applies. */
  readonly retries?: number
}
/** How many tokens a record has used so far. They are counted even if the model gives no valid answer. */
export type Usage = { input: number; output: number }

export type AskedRecord = {
  readonly answered: Answered | null
  /** Why there is no answer. */
  readonly fault: Reason | null
  /** The last text that the model sent. */
  readonly text: string | null
}

/**
 * An upper bound for the number of tokens of a request. No token is shorter than a byte, so each byte counts as one token. Each
 * message counts as 100 more tokens, because the endpoint adds some tokens to it.
 */
const mostTokens = ({ messages, response_format, max_tokens }: ModelRequest) => ({
  input: Buffer.byteLength(JSON.stringify([messages, response_format])) + 100 * messages.length,
  output: max_tokens ?? 0,
})

type Sampled = Omit<AskedRecord, 'answered'> & { readonly samples: readonly Answered[] }

/** Asks for all samples of one prompt. */
const takeSamples = async (
  ctx: AskContext,
  { connection, source, setup, budget, signal, retries }: Asking,
  record: PromptRecord,
  usage: Usage,
): Promise<Sampled> => {
  const send = async (request: ModelRequest): Promise<ModelReply> => {
    const most = mostTokens(request)
    let admitted: Admitted | null = null
    const meter: Meter = {
      begin: async () => {
        admitted = await budget.admit(most, signal)
      },
      end: ({ input, output }) => {
        // If the number of tokens is unknown, the upper bound is counted. Otherwise, the run could exceed its spend cap.
        const used = { input: input ?? most.input, output: output ?? most.output }
        usage.input += used.input
        usage.output += used.output
        admitted?.settle(used)
      },
    }
    return askModel(ctx, connection, request, {
      timeoutMs: setup.timeout * 1000,
      signal,
      meter,
      ...(retries !== undefined && { retries }),
    })
  }
  const prompt = messagesFor(source, setup, record) as ModelRequest['messages']
  const samples: Answered[] = []
  let fault: Reason | null = null
  let text: string | null = null
  for (let sample = 0; sample < setup.samples; sample += 1) {
    let messages = prompt
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        const reply = await send(requestFor(source, setup, messages, sample))
        text = reply.text ?? reply.refusal
        const read = readAnswer(reply, source, record, ctx.config.maxAnswer)
        if (!('fault' in read)) {
          samples.push(read)
          break
        }
        fault = read.fault
        if (read.isRefusal) break
        const correction = `The answer is not valid: ${renderMessage(read.fault)}. Answer again with one JSON object.`
        messages = [...prompt, { role: 'assistant', content: reply.text ?? '' }, { role: 'user', content: correction }]
      } catch (error) {
        if (!(error instanceof ModelFault) || error.isGeneral) throw error
        fault = error.reason
        break
      }
    }
  }
  return { samples, fault, text }
}

/**
 * Asks a model about a record, in both field orders if the setup requires it. The answer is null if the model gave no valid
 * answer in one of these orders.
 */
const askWith = async (ctx: AskContext, asking: Asking, record: PromptRecord, usage: Usage): Promise<AskedRecord> => {
  const { source, setup } = asking
  const { samples, fault, text } = await takeSamples(ctx, asking, record, usage)
  if (samples.length === 0) return { answered: null, fault, text }
  let answered = combineSamples(samples, setup.samples, source, record)
  if (!setup.both_orders) return { answered, fault: null, text }
  for (const { fields, questions } of swapsIn(source, answered.values)) {
    const swapped = { ...record, fields: swappedFields(record.fields, fields) }
    const other = await takeSamples(ctx, { ...asking, source: { ...source, questions } }, swapped, usage)
    if (other.samples.length === 0) return { answered: null, fault: other.fault, text: other.text }
    answered = combineOrders(answered, { samples, swapped: other.samples, count: setup.samples, questions, source, record })
  }
  return { answered, fault: null, text }
}

/**
 * Asks a model about a record, once for each sample, and in both field orders if the setup requires it. If an answer is not
 * valid, asks again once. Doesn't ask if the record's metadata hides all questions.
 * @param usage increased by the tokens of the requests
 * @throws ModelFault if other records would fail for the same reason, CapReached, the signal's reason
 */
export const askRecord = async (ctx: AskContext, asking: Asking, record: PromptRecord, usage: Usage): Promise<AskedRecord> => {
  const source = sourceFor(asking.source, record)
  return source.questions.length === 0
    ? { answered: { values: {}, rationale: null }, fault: null, text: null }
    : askWith(ctx, { ...asking, source }, record, usage)
}
