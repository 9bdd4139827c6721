import type { Webhook, WebhookDelivery, WebhookEvent, WebhookUpdate } from '@postil/contract/webhooks.ts'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** How often an open delivery log is refreshed, in milliseconds. */
const logInterval = 3000

/** All webhook events, in the order in which the form lists them. */
export const webhookEvents: readonly WebhookEvent[] = [
  'dataset.created',
  'dataset.updated',
  'dataset.published',
  'dataset.deleted',
  'record.created',
  'record.updated',
  'record.completed',
  'record.deleted',
  'response.created',
  'response.updated',
  'response.deleted',
]

export const webhooksQuery = () =>
  queryOptions({
    queryKey: ['administration', 'webhooks'],
    queryFn: async ({ signal }) => (await call('GET /webhooks', { signal })).items,
  })

export const deliveriesQuery = (webhookId: string) =>
  queryOptions({
    queryKey: ['administration', 'webhooks', webhookId, 'deliveries'],
    queryFn: async ({ signal }) =>
      (await call('GET /webhooks/:webhook_id/deliveries', { params: { webhook_id: webhookId }, signal })).items,
    refetchInterval: logInterval,
  })

export type WebhookForm = {
  readonly url: string
  readonly description: string | null
  readonly events: WebhookEvent[]
}

/** The page's webhook mutations. Each call rejects with ApiError on failure. After each call, the list is invalidated. */
export const webhookCalls = (client: QueryClient) => {
  const thenRefresh = async <T>(done: Promise<T>): Promise<T> => {
    try {
      return await done
    } finally {
      await client.invalidateQueries({ queryKey: ['administration', 'webhooks'] })
    }
  }
  /** Reads the current log. Cancels any request that is in flight, because its response could be stale. */
  const readLog = async (id: string): Promise<readonly WebhookDelivery[]> => {
    const log = deliveriesQuery(id)
    await client.cancelQueries(log)
    return client.fetchQuery({ ...log, staleTime: 0 })
  }
  return {
    create: (body: WebhookForm): Promise<Webhook> => thenRefresh(call('POST /webhooks', { body })),
    update: (id: string, body: WebhookUpdate): Promise<Webhook> =>
      thenRefresh(call('PATCH /webhooks/:webhook_id', { params: { webhook_id: id }, body })),
    remove: (id: string): Promise<Webhook> => thenRefresh(call('DELETE /webhooks/:webhook_id', { params: { webhook_id: id } })),
    /** Sends a test delivery. @returns the HTTP status of the response, read from the delivery log; null if the log has none */
    ping: async (id: string): Promise<number | null> => {
      try {
        await call('POST /webhooks/:webhook_id/ping', { params: { webhook_id: id } })
      } catch (problem) {
        await readLog(id).catch(() => {})
        throw problem
      }
      return (await readLog(id)).find(({ event }) => event === 'ping')?.http_status ?? null
    },
    newSecret: (id: string): Promise<Webhook> =>
      thenRefresh(call('POST /webhooks/:webhook_id/secret', { params: { webhook_id: id } })),
    resend: (id: string, deliveryId: string) =>
      thenRefresh(
        call('POST /webhooks/:webhook_id/deliveries/:delivery_id/resend', {
          params: { webhook_id: id, delivery_id: deliveryId },
        }),
      ),
  }
}
export type WebhookCalls = ReturnType<typeof webhookCalls>
