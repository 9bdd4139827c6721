import type { Dataset } from '@postil/contract/datasets.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { formatAgo, formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { canOpenOffline } from '#lib/offline/service-worker.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import { SuitcaseIcon } from '#ui/marks/icons.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import styles from './OfflineDialog.module.css'
import { defaultSize, readOfflineState, removeOffline, saveForOffline, sizes } from './offline-pack.ts'

type Props = { readonly dataset: Dataset; readonly onClose: () => void }

const offlineStateQuery = (userId: string, datasetId: string) =>
  queryOptions({ queryKey: ['on-device', userId, datasetId], queryFn: () => readOfflineState(userId, datasetId), staleTime: 0 })

/**
 * A dialog for saving records for offline use. The user chooses how many records to save, sees which records are on the device,
 * and can remove them.
 */
export const OfflineDialog = ({ dataset, onClose }: Props) => {
  const { t } = useTranslation('features/annotate')
  const user = useUser()
  const client = useQueryClient()
  const [count, setCount] = useState<number>(defaultSize)
  const stateQuery = offlineStateQuery(user.id, dataset.id)
  const { data: saved = null } = useQuery(stateQuery)
  const refetchState = () => client.invalidateQueries({ queryKey: stateQuery.queryKey })
  const save = useMutation({
    mutationFn: () => saveForOffline(user, dataset, count),
    onSuccess: () => announce(t('take.done')),
    onSettled: refetchState,
  })
  const remove = useMutation({
    mutationFn: () => removeOffline(user.id, dataset.id),
    onSuccess: () => announce(t('take.left')),
    onSettled: refetchState,
  })
  const canWorkOffline = canOpenOffline()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('take.title')}
      actions={
        <>
          {saved && (
            <Button busy={remove.isPending} onClick={() => remove.mutate()}>
              {t('take.leave')}
            </Button>
          )}
          <Button look="primary" busy={save.isPending} blocked={!canWorkOffline} onClick={() => save.mutate()}>
            {t('take.take', { count, formatted: formatCount(count) })}
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        <p>{t('take.explain')}</p>
        {!canWorkOffline && <Notice kind="warning">{t('take.unable')}</Notice>}
        {saved && (
          <Notice icon={SuitcaseIcon}>
            {t('take.here', {
              count: saved.count,
              formatted: formatCount(saved.count),
              when: formatAgo(new Date(saved.savedAt).toISOString(), Date.now()),
            })}
          </Notice>
        )}
        <div className={styles['count']}>
          <span id="take-count">{t('take.count')}</span>
          <Select
            label={t('take.count')}
            value={String(count)}
            options={sizes.map((size) => ({ value: String(size), label: formatCount(size) }))}
            onChange={(value) => setCount(Number(value))}
          />
        </div>
        <p className={styles['hint']}>
          {t('take.hint')} {t('take.notTaken')}
        </p>
      </div>
    </Dialog>
  )
}
