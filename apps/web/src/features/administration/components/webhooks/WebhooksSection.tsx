import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { Button } from '#ui/controls/Button.tsx'
import { showSuccess } from '#ui/feedback/success-toast.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import { webhookCalls, webhooksQuery } from '../../webhooks-api.ts'
import styles from '../AdministrationPage.module.css'
import { SectionHeader } from '../SectionHeader.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import { WebhookRow } from './WebhookRow.tsx'

export const WebhooksSection = () => {
  const { t } = useTranslation('features/administration')
  const client = useQueryClient()
  const calls = useMemo(() => webhookCalls(client), [client])
  const read = useQuery(webhooksQuery())
  const { data: webhooks } = read
  const [isAdding, setAdding] = useState(false)
  const error = blockingError(read)
  if (error) throw error
  return (
    <>
      <SectionHeader title={t('section.webhooks')} count={webhooks?.length}>
        <Button look="primary" icon={PlusIcon} onClick={() => setAdding(true)}>
          {t('webhooks.add')}
        </Button>
      </SectionHeader>
      {!webhooks && <Skeleton height="9lh" />}
      {webhooks?.length === 0 && <p className={styles['none']}>{t('webhooks.none')}</p>}
      <ul className={styles['list']} aria-labelledby="section-title">
        {webhooks?.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} calls={calls} />
        ))}
      </ul>
      {isAdding && (
        <WebhookDialog
          webhook={null}
          send={async (form) => {
            await calls.create(form)
            showSuccess(t('webhooks.added'))
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
