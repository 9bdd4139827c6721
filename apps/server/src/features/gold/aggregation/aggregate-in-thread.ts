import { Worker } from 'node:worker_threads'
import { entryUrl } from '#platform/entry.ts'
import type { Aggregated, AggregationInput } from './aggregate.ts'
import { MAX_NUMBERS } from './answers.ts'

/** Whether the numbers that a rule computes with would take too much memory. */
export const isTooLarge = ({ rule, answers: { itemCount, annotatorCount, labelCount } }: AggregationInput): boolean => {
  const perAnnotator = rule === 'dawid_skene' ? labelCount * labelCount : labelCount
  return Math.max(itemCount * labelCount, annotatorCount * perAnnotator) > MAX_NUMBERS
}

/**
 * Estimates the true labels in a worker thread, so that the event loop isn't blocked.
 * @param signal cancels the computation
 * @throws the signal's reason
 */
export const aggregateInThread = (inputs: readonly AggregationInput[], signal?: AbortSignal): Promise<readonly Aggregated[]> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const worker = new Worker(entryUrl('../features/gold/aggregation/aggregate-worker'), {
      workerData: inputs,
      name: 'aggregation',
    })
    const abort = (): void => {
      reject(signal?.reason)
      void worker.terminate()
    }
    signal?.addEventListener('abort', abort, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      signal?.removeEventListener('abort', abort)
      reject(new Error('the thread that aggregates answers has exited'))
    })
  })
