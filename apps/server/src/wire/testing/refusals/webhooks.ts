import { must, type Stage } from '../stage.ts'
import { nobody, type Refusal } from './refusal.ts'

/** There can be ten. */
export const clearWebhooks = async ({ owner }: Stage): Promise<void> => {
  const { items } = must(await owner.get<{ items: { id: string }[] }>('/webhooks'))
  for (const { id } of items) must(await owner.delete(`/webhooks/${id}`))
}

// NOTE: a name that stands for nothing anywhere (RFC 2606)
const body = { url: 'http://nothing.invalid/', events: ['response.deleted'] }
const newWebhook = async (stage: Stage): Promise<string> => {
  await clearWebhooks(stage)
  return must(await stage.owner.post<{ id: string }>('/webhooks', body)).id
}

export const webhookRefusals: readonly Refusal[] = [
  {
    id: 'webhooks.create',
    why: 'there are ten',
    status: 422,
    sent: async (stage) => {
      await clearWebhooks(stage)
      for (let i = 0; i < 10; i += 1) must(await stage.owner.post('/webhooks', body))
      return { body }
    },
  },
  {
    id: 'webhooks.ping',
    why: 'nothing answers',
    status: 422,
    sent: async (stage) => {
      const webhook_id = await newWebhook(stage)
      must(await stage.owner.patch(`/webhooks/${webhook_id}`, { url: 'http://127.0.0.1:9/' }))
      return { params: { webhook_id } }
    },
  },
  {
    id: 'webhooks.resend',
    why: 'there is no such delivery',
    status: 404,
    sent: async (stage) => ({ params: { webhook_id: await newWebhook(stage), delivery_id: nobody } }),
  },
]
