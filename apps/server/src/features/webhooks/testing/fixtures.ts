import type { Webhook, WebhookDelivery, WebhookEvent } from '@postil/contract/webhooks.ts'
import type { BootOptions, TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { Client, Response } from '@postil/testkit/client.ts'
import type { ReceivedDelivery, WebhookReceiver } from '@postil/testkit/webhook-receiver.ts'
import { startReceiver } from '@postil/testkit/webhook-receiver.ts'
import { expect, vi } from 'vitest'
import type { DeliveryOptions } from '../delivery.ts'

export const must = <T>({ status, body }: Response<T>): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return body
}

/** Waits are usually short but can be long on a busy machine. */
export const SOON = { timeout: 20_000, interval: 100 }

/** Intervals that are short enough for a test, but different enough to tell apart. */
export const QUICK = { pollMs: 20, retryMs: [40, 60, 80], cleanupMs: 50 } satisfies DeliveryOptions
export const PRIVATE = { POSTIL_WEBHOOKS_ALLOW_PRIVATE: 'true' }

export type Fixture = {
  readonly server: TestServer
  readonly owner: Client
  readonly receiver: WebhookReceiver
  /** Creates a webhook. `where` is either a path of the receiver or a URL. */
  readonly subscribe: (where: string, ...events: readonly WebhookEvent[]) => Promise<Webhook>
  /** Returns a webhook's log, oldest first. */
  readonly log: (webhook: Webhook) => Promise<WebhookDelivery[]>
  /** Waits until a webhook's log has these statuses, oldest first. */
  readonly logged: (webhook: Webhook, ...statuses: readonly string[]) => Promise<WebhookDelivery[]>
  /** Waits until `count` requests have arrived at a path. */
  readonly arrived: (path: string, count: number) => Promise<ReceivedDelivery[]>
  /** Deletes all webhooks, because at most ten can exist. */
  readonly clear: () => Promise<void>
  readonly close: () => Promise<void>
}

export const bootFixture = async (options: BootOptions = {}): Promise<Fixture> => {
  const receiver = await startReceiver()
  const server = await bootServer({ delivery: QUICK, env: PRIVATE, ...options })
  const owner = server.clientFor(server.owner)
  // Events that tests emit themselves belong to this dataset.
  await server.createDataset()
  const log: Fixture['log'] = async ({ id }) =>
    must(await owner.get<{ items: WebhookDelivery[] }>(`/webhooks/${id}/deliveries`)).items.toReversed()
  return {
    server,
    owner,
    receiver,
    subscribe: async (where, ...events) =>
      must(await owner.post<Webhook>('/webhooks', { url: where.startsWith('/') ? receiver.url + where : where, events })),
    log,
    logged: (webhook, ...statuses) =>
      vi.waitFor(async () => {
        const found = await log(webhook)
        expect(found.map(({ status }) => status)).toEqual(statuses)
        return found
      }, SOON),
    arrived: (path, count) =>
      vi.waitFor(() => {
        const found = receiver.receivedAt(path)
        expect(found).toHaveLength(count)
        return found
      }, SOON),
    clear: async () => {
      const { items } = must(await owner.get<{ items: Webhook[] }>('/webhooks'))
      for (const { id } of items) must(await owner.delete(`/webhooks/${id}`))
    },
    close: async () => {
      await server.close()
      await receiver.close()
    },
  }
}
