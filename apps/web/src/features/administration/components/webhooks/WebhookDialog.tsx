import type { Webhook, WebhookEvent } from '@postil/contract/webhooks.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Input } from '#ui/controls/Input.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import { useAsyncAction } from '../../use-async-action.ts'
import type { WebhookForm } from '../../webhooks-api.ts'
import { webhookEvents } from '../../webhooks-api.ts'
import styles from '../AdministrationPage.module.css'

type Props = {
  /** Null for a new webhook. */
  readonly webhook: Webhook | null
  readonly send: (form: WebhookForm) => Promise<void>
  readonly onClose: () => void
}

const isWebUrl = (text: string): boolean => {
  const url = URL.parse(text.trim())
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}

/** The URL and the events of a webhook. */
export const WebhookDialog = ({ webhook, send, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [chosen, setChosen] = useState<ReadonlySet<WebhookEvent>>(new Set(webhook?.events ?? ['response.created']))
  const { busy, problem, run } = useAsyncAction()
  const toggle = (event: WebhookEvent, on: boolean): void => {
    const next = new Set(chosen)
    if (on) next.add(event)
    else next.delete(event)
    setChosen(next)
  }
  const save = async (): Promise<void> => {
    // Existing events keep their order, because clients compare it.
    const unchanged = (webhook?.events ?? []).filter((event) => chosen.has(event))
    const added = webhookEvents.filter((event) => chosen.has(event) && !unchanged.includes(event))
    const form = { url: url.trim(), description: description.trim() || null, events: [...unchanged, ...added] }
    if (await run(() => send(form))) onClose()
  }
  return (
    <FormDialog
      title={webhook ? t('webhooks.editTitle') : t('webhooks.add')}
      submitLabel={webhook ? t('save') : t('webhooks.addVerb')}
      busy={busy}
      blocked={!isWebUrl(url) || chosen.size === 0}
      problem={problem}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Input
        label={t('webhooks.url')}
        hint={t('webhooks.urlHint')}
        error={url !== '' && !isWebUrl(url) ? t('webhooks.urlFault') : null}
        type="url"
        autoComplete="off"
        autoCapitalize="none"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Input
        label={t('webhooks.description')}
        autoComplete="off"
        maxLength={1000}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <fieldset className={styles['choices']}>
        <legend>{t('webhooks.events')}</legend>
        {webhookEvents.map((event) => (
          <label key={event} className={styles['choice']}>
            <input type="checkbox" checked={chosen.has(event)} onChange={(change) => toggle(event, change.target.checked)} />
            <code>{event}</code>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}
