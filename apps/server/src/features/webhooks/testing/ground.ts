import type { Webhook, WebhookDelivery, WebhookEvent } from '@postil/contract/webhooks.ts'
import type { BootOptions, TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { Client, Response } from '@postil/testkit/client.ts'
import type { Received, WebhookReceiver } from '@postil/testkit/webhook-receiver.ts'
import { startReceiver } from '@postil/testkit/webhook-receiver.ts'
import { expect, vi } from 'vitest'
import type { DeliveryOptions } from '../delivery.ts'

export const must = <T>({ status, body }: Response<T>): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return body
}

/** What is waited for comes in a moment, which a crowded machine makes long. */
export const SOON = { timeout: 20_000, interval: 20 }

/** Soon enough for a test, far enough apart to be told from one another. */
export const QUICK = { pollMs: 20, retryMs: [40, 60, 80], tidyMs: 50 } satisfies DeliveryOptions
export const PRIVATE = { POSTIL_WEBHOOKS_ALLOW_PRIVATE: 'true' }

export type Ground = {
  readonly server: TestServer
  readonly owner: Client
  readonly receiver: WebhookReceiver
  /** A webhook to a path of the receiver, or to a URL. */
  readonly subscribe: (where: string, ...events: readonly WebhookEvent[]) => Promise<Webhook>
  /** The log of a webhook, oldest first. */
  readonly log: (webhook: Webhook) => Promise<WebhookDelivery[]>
  /** Waits until the log of a webhook shows these statuses, oldest first. */
  readonly logged: (webhook: Webhook, ...statuses: readonly string[]) => Promise<WebhookDelivery[]>
  /** Waits until so many requests have come to a path. */
  readonly arrived: (path: string, count: number) => Promise<Received[]>
  /** Deletes all webhooks: there can be ten. */
  readonly clear: () => Promise<void>
  readonly close: () => Promise<void>
}

/** A server that delivers quickly, and something that webhooks are sent to. */
export const bootGround = async (options: BootOptions = {}): Promise<Ground> => {
  const receiver = await startReceiver()
  const server = await bootServer({ delivery: QUICK, env: PRIVATE, ...options })
  const owner = server.as(server.owner)
  const log: Ground['log'] = async ({ id }) =>
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
        const found = receiver.at(path)
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
