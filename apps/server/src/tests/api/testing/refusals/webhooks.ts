import { type ApiFixture, must } from '../fixture.ts'
import { nobody, type Refusal } from './refusal.ts'

/** Deletes all webhooks, because a server can have at most ten. */
export const clearWebhooks = async ({ owner }: ApiFixture): Promise<void> => {
  const { items } = must(await owner.get<{ items: { id: string }[] }>('/webhooks'))
  for (const { id } of items) must(await owner.delete(`/webhooks/${id}`))
}

// A name that never resolves (RFC 2606).
const body = { url: 'http://nothing.invalid/', events: ['response.deleted'] }
const newWebhook = async (fixture: ApiFixture): Promise<string> => {
  await clearWebhooks(fixture)
  return must(await fixture.owner.post<{ id: string }>('/webhooks', body)).id
}

export const webhookRefusals: readonly Refusal[] = [
  {
    id: 'webhooks.create',
    why: 'there are already ten',
    status: 422,
    sent: async (fixture) => {
      await clearWebhooks(fixture)
      for (let i = 0; i < 10; i += 1) must(await fixture.owner.post('/webhooks', body))
      return { body }
    },
  },
  {
    id: 'webhooks.ping',
    why: 'the receiver does not respond',
    status: 422,
    sent: async (fixture) => {
      const webhook_id = await newWebhook(fixture)
      must(await fixture.owner.patch(`/webhooks/${webhook_id}`, { url: 'http://127.0.0.1:9/' }))
      return { params: { webhook_id } }
    },
  },
  {
    id: 'webhooks.resend',
    why: 'the delivery does not exist',
    status: 404,
    sent: async (fixture) => ({ params: { webhook_id: await newWebhook(fixture), delivery_id: nobody } }),
  },
]
