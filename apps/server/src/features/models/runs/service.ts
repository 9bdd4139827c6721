import type { ModelPreview, ModelPreviewBody, ModelRun, ModelRunCreate } from '@postil/contract/model-runs.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
import { partsOf, renderMessage } from '@postil/contract/wire/render-message.ts'
import type { AppContext } from '#context.ts'
import { findTargets } from '#features/search/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import { ModelFault } from '../client.ts'
import { type AskedRecord, askRecord, type Usage } from './ask-record.ts'
import { Budget } from './budget.ts'
import * as operations from './operations.ts'
import { messagesFor } from './prompt.ts'
import { setupOf } from './setup.ts'

/** @throws Problem not_found, forbidden, unprocessable, too_many, business */
export const startRun = async (ctx: AppContext, user: Actor, dataset_id: string, body: ModelRunCreate): Promise<ModelRun> => {
  const { connection_id, name, spend_cap = null, search = null, limit = null, dry_run } = body
  const seqs = await findTargets(ctx, user, dataset_id, { search: search ?? {} })
  return ctx.store.write(operations.startRun, {
    user: actorOf(user),
    dataset_id,
    connection_id,
    name,
    setup: setupOf(body),
    spend_cap,
    dry_run,
    limit,
    seqs,
  })
}

/** Short, because a user is waiting for the preview. */
const PREVIEW_SECONDS = 60
const PREVIEW_RETRIES = 1

/**
 * Asks the model once about one record, even if the setup requests several samples or both orders of the compared fields.
 * @param signal ends the request when its client has disconnected
 * @throws Problem not_found, forbidden, unprocessable, or the signal's reason
 */
export const preview = async (
  ctx: AppContext,
  user: Actor,
  dataset_id: string,
  { body, signal }: { readonly body: ModelPreviewBody; readonly signal: AbortSignal },
): Promise<ModelPreview> => {
  const { connection_id, record_id, ask } = body
  const { both_orders: _, ...inOneOrder } = setupOf(body)
  const setup = { ...inOneOrder, samples: 1, timeout: Math.min(body.timeout, PREVIEW_SECONDS) }
  const of = { user: actorOf(user), dataset_id, setup, connection_id, record_id }
  const { source, connection, record } = await ctx.store.read(operations.previewSource, of)
  const usage: Usage = { input: 0, output: 0 }
  const began = performance.now()
  const printed = (fault: Reason | null, asked: Omit<AskedRecord, 'fault'>): ModelPreview => ({
    messages: messagesFor(source, setup, record).map((message) => ({ ...message })),
    answer: asked.text,
    values: asked.answered?.values ?? null,
    rationale: asked.answered?.rationale ?? null,
    reason: fault === null ? null : renderMessage(fault),
    reason_parts: fault === null ? [] : [...partsOf(fault)],
    input_tokens: usage.input,
    output_tokens: usage.output,
    ms: ask ? Math.round(performance.now() - began) : 0,
  })
  const nothing = { answered: null, text: null }
  if (!ask) return printed(null, nothing)
  try {
    const budget = new Budget(connection, null, { input: 0, output: 0 })
    const asking = { connection, source, setup, budget, signal, retries: PREVIEW_RETRIES }
    const { fault, ...asked } = await askRecord(ctx, asking, record, usage)
    return printed(fault, asked)
  } catch (error) {
    if (error instanceof ModelFault) return printed(error.reason, nothing)
    // The client has disconnected, so nobody reads the response.
    if (signal.aborted) return printed(null, nothing)
    throw error
  }
}
