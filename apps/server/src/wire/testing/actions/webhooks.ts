import type { Webhook } from '@postil/contract/webhooks.ts'
import { once } from '../forms/rule.ts'
import { must, type Stage } from '../stage.ts'
import { type Action, owners } from './action.ts'

/** A webhook to the server itself, which answers. */
const webhookBody = ({ server }: Stage) => ({ url: `${server.url}/api/v1/version`, events: ['dataset.updated'] })
const newWebhook = async (stage: Stage) => must(await stage.owner.post<Webhook>('/webhooks', webhookBody(stage)))
const theWebhook = once(newWebhook)
const inWebhook = async (stage: Stage) => ({ webhook_id: (await theWebhook(stage)).id })

const someDelivery = async (stage: Stage) => {
  const { webhook_id } = await inWebhook(stage)
  must(await stage.owner.patch(`/datasets/${stage.rich.dataset.id}`, {}))
  const { items } = must(await stage.owner.get<{ items: { id: string }[] }>(`/webhooks/${webhook_id}/deliveries`))
  return { webhook_id, delivery_id: items[0]?.id ?? '' }
}

export const webhookActions: readonly Action[] = [
  { id: 'audit.list', allowed: owners, request: () => ({}) },
  { id: 'webhooks.list', allowed: owners, request: () => ({}) },
  { id: 'webhooks.create', allowed: owners, request: (stage) => ({ body: webhookBody(stage) }) },
  {
    id: 'webhooks.update',
    allowed: owners,
    missing: 'found first',
    request: async (stage) => ({ params: await inWebhook(stage), body: { description: 'changed' } }),
  },
  {
    id: 'webhooks.delete',
    allowed: owners,
    missing: 'found first',
    request: async (stage) => ({ params: { webhook_id: (await newWebhook(stage)).id } }),
  },
  {
    id: 'webhooks.ping',
    allowed: owners,
    missing: 'found first',
    request: async (stage) => ({ params: await inWebhook(stage) }),
  },
  {
    id: 'webhooks.rotate_secret',
    allowed: owners,
    missing: 'found first',
    request: async (stage) => ({ params: await inWebhook(stage) }),
  },
  {
    id: 'webhooks.deliveries',
    allowed: owners,
    missing: 'found first',
    request: async (stage) => ({ params: await inWebhook(stage) }),
  },
  {
    id: 'webhooks.resend',
    allowed: owners,
    missing: 'found first',
    request: async (stage) => ({ params: await someDelivery(stage) }),
  },
]
