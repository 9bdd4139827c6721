import { WebhookEvent } from '@postil/contract/webhooks.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { clearWebhooks } from '../refusals/webhooks.ts'
import { bool, type Form, list, nullable, patched, required, text, values } from './rule.ts'

const LONGEST = 2083
const urlOf = (length: number) => 'https://x.test/'.padEnd(length, 'a')
const body = { url: 'https://x.test/', events: ['record.created'] }
const rules = (presence: object) => [
  values(
    'url',
    presence,
    'url_type',
    [
      [7, 'url_type'],
      [{}, 'url_type'],
      ['', 'url_parsing'],
      ['x.test', 'url_parsing'],
      ['http://', 'url_parsing'],
      ['ftp://x.test/', 'url_scheme'],
      ['javascript:alert(1)', 'url_scheme'],
      [urlOf(LONGEST + 1), 'url_too_long'],
    ],
    [
      ['https://x.test', 'https://x.test/'],
      [' http://X.test:80/a b ', 'http://x.test/a%20b'],
      ['http://[::1]:9000/?a=b', 'http://[::1]:9000/?a=b'],
      [urlOf(LONGEST), urlOf(LONGEST)],
    ],
  ),
  list('events', presence, { min: 1, item: (i) => WebhookEvent.options[i] }),
  values('events', presence, 'list_type', [
    [['ping'], 'enum', 0],
    [['record.created', 7], 'enum', 1],
    [['record.created', 'record.created'], 'value_error'],
  ]),
  text('description', nullable, { min: 1, max: 1000 }),
]

const newWebhook = async (fixture: ApiFixture) => {
  await clearWebhooks(fixture)
  return must(await fixture.owner.post<{ id: string }>('/webhooks', body)).id
}

export const webhookForms: readonly Form[] = [
  {
    id: 'webhooks.create',
    good: async (fixture) => {
      await clearWebhooks(fixture)
      return { body }
    },
    rules: rules(required),
  },
  {
    id: 'webhooks.update',
    good: async (fixture) => ({ params: { webhook_id: await newWebhook(fixture) }, body: {} }),
    rules: [...rules(patched), bool('enabled', patched)],
  },
]
