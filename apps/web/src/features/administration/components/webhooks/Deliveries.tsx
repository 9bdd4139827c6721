import type { DeliveryStatus, Webhook, WebhookDelivery } from '@postil/contract/webhooks.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount, formatDateTime, formatNumber } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { Icon } from '#ui/marks/first-icons.tsx'
import { DangerIcon } from '#ui/marks/first-icons.tsx'
import { CheckIcon, PendingIcon } from '#ui/marks/icons.tsx'
import type { WebhookCalls } from '../../webhooks-api.ts'
import { deliveriesQuery } from '../../webhooks-api.ts'
import styles from './Deliveries.module.css'

const icons: { readonly [S in DeliveryStatus]: Icon } = {
  waiting: PendingIcon,
  sending: PendingIcon,
  delivered: CheckIcon,
  given_up: DangerIcon,
}
/** How many deliveries are shown before "Show more". */
const page = 20

type Props = { readonly webhook: Webhook; readonly calls: WebhookCalls }

/** The deliveries of a webhook, newest first. Refreshed while the log is open. */
export const Deliveries = ({ webhook, calls }: Props) => {
  const { t } = useTranslation('features/administration')
  const { data: deliveries, error } = useQuery(deliveriesQuery(webhook.id))
  const [shown, setShown] = useState(page)
  if (error) return <p role="alert">{problemMessage(error)}</p>
  if (!deliveries) return <Skeleton height="4lh" />
  if (deliveries.length === 0) return <p className={styles['none']}>{t('webhooks.noDeliveries')}</p>
  return (
    <div className={styles['deliveries']}>
      <ul aria-label={t('webhooks.deliveriesOf', { url: webhook.url })}>
        {deliveries.slice(0, shown).map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} webhook={webhook} calls={calls} />
        ))}
      </ul>
      {deliveries.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + page)}>
          {t('webhooks.more', { formatted: formatCount(deliveries.length - shown) })}
        </Button>
      )}
    </div>
  )
}

const Delivery = ({ delivery, webhook, calls }: Props & { readonly delivery: WebhookDelivery }) => {
  const { t } = useTranslation('features/administration')
  const { status, event, inserted_at, http_status, duration_ms, error, next_attempt_at, attempts } = delivery
  const Mark = icons[status]
  const facts = [
    formatDateTime(inserted_at),
    http_status !== null && `HTTP ${http_status}`,
    duration_ms !== null && `${formatNumber(duration_ms)} ms`,
    attempts > 1 && t('webhooks.attempts', { count: attempts, formatted: formatCount(attempts) }),
    next_attempt_at !== null && t('webhooks.next', { time: formatDateTime(next_attempt_at) }),
  ].filter((fact) => fact !== false)
  const resend = (): void => {
    calls.resend(webhook.id, delivery.id).then(() => announce(t('webhooks.resent')), toastProblem)
  }
  return (
    <li className={styles['delivery']} data-status={status}>
      <span className={styles['status']}>
        <Mark size={14} />
        {t(`webhooks.status.${status}`)}
      </span>
      <div className={styles['what']}>
        <code>{event}</code>
        <span className={styles['facts']}>{facts.join(' · ')}</span>
        {error && <span className={styles['error']}>{error}</span>}
      </div>
      {status !== 'sending' && webhook.enabled && (
        <Button look="quiet" onClick={resend}>
          {t('webhooks.resend')}
        </Button>
      )}
    </li>
  )
}
