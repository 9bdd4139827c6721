import type { Webhook } from '@postil/contract/webhooks.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { once } from '../forms/rule.ts'
import { type Action, owners } from './action.ts'

/** A webhook that sends its events to the server itself, so that its deliveries get a response. */
const webhookBody = ({ server }: ApiFixture) => ({ url: `${server.url}/api/v1/version`, events: ['dataset.updated'] })
const newWebhook = async (fixture: ApiFixture) => must(await fixture.owner.post<Webhook>('/webhooks', webhookBody(fixture)))
const theWebhook = once(newWebhook)
const inWebhook = async (fixture: ApiFixture) => ({ webhook_id: (await theWebhook(fixture)).id })

const someDelivery = async (fixture: ApiFixture) => {
  const { webhook_id } = await inWebhook(fixture)
  must(await fixture.owner.patch(`/datasets/${fixture.rich.dataset.id}`, {}))
  const { items } = must(await fixture.owner.get<{ items: { id: string }[] }>(`/webhooks/${webhook_id}/deliveries`))
  return { webhook_id, delivery_id: items[0]?.id ?? '' }
}

export const webhookActions: readonly Action[] = [
  { id: 'audit.list', allowed: owners, request: () => ({}) },
  { id: 'webhooks.list', allowed: owners, request: () => ({}) },
  { id: 'webhooks.create', allowed: owners, request: (fixture) => ({ body: webhookBody(fixture) }) },
  {
    id: 'webhooks.update',
    allowed: owners,
    missing: 'found first',
    request: async (fixture) => ({ params: await inWebhook(fixture), body: { description: 'changed' } }),
  },
  {
    id: 'webhooks.delete',
    allowed: owners,
    missing: 'found first',
    request: async (fixture) => ({ params: { webhook_id: (await newWebhook(fixture)).id } }),
  },
  {
    id: 'webhooks.ping',
    allowed: owners,
    missing: 'found first',
    request: async (fixture) => ({ params: await inWebhook(fixture) }),
  },
  {
    id: 'webhooks.rotate_secret',
    allowed: owners,
    missing: 'found first',
    request: async (fixture) => ({ params: await inWebhook(fixture) }),
  },
  {
    id: 'webhooks.deliveries',
    allowed: owners,
    missing: 'found first',
    request: async (fixture) => ({ params: await inWebhook(fixture) }),
  },
  {
    id: 'webhooks.resend',
    allowed: owners,
    missing: 'found first',
    request: async (fixture) => ({ params: await someDelivery(fixture) }),
  },
]
