import type { Dataset } from '@postil/contract/datasets.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '#features/auth/service.ts'
import { formatAgo, formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { canOpenOffline } from '#lib/taken/able.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { SuitcaseIcon } from '#ui/marks/icons.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { announce } from '#ui/telling/announcer.ts'
import { Notice } from '#ui/telling/Notice.tsx'
import styles from './TakeAlongDialog.module.css'
import { leaveBehind, onDevice, sizes, takeAlong, usualSize } from './take-along.ts'

type Props = { readonly dataset: Dataset; readonly onClose: () => void }

const onDeviceQuery = (userId: string, datasetId: string) =>
  queryOptions({ queryKey: ['on-device', userId, datasetId], queryFn: () => onDevice(userId, datasetId), staleTime: 0 })

/** Records to be answered without a network: how many, what is here already, and off the device with them. */
export const TakeAlongDialog = ({ dataset, onClose }: Props) => {
  const { t } = useTranslation('features/annotate')
  const user = useUser()
  const client = useQueryClient()
  const [count, setCount] = useState<number>(usualSize)
  const here = onDeviceQuery(user.id, dataset.id)
  const { data: kept = null } = useQuery(here)
  const settle = () => client.invalidateQueries({ queryKey: here.queryKey })
  const take = useMutation({
    mutationFn: () => takeAlong(user, dataset, count),
    onSuccess: () => announce(t('take.done')),
    onSettled: settle,
  })
  const leave = useMutation({
    mutationFn: () => leaveBehind(user.id, dataset.id),
    onSuccess: () => announce(t('take.left')),
    onSettled: settle,
  })
  const isAble = canOpenOffline()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('take.title')}
      actions={
        <>
          {kept && (
            <Button busy={leave.isPending} onClick={() => leave.mutate()}>
              {t('take.leave')}
            </Button>
          )}
          <Button look="primary" busy={take.isPending} blocked={!isAble} onClick={() => take.mutate()}>
            {t('take.take', { count, formatted: formatCount(count) })}
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        <p>{t('take.explain')}</p>
        {!isAble && <Notice kind="warning">{t('take.unable')}</Notice>}
        {kept && (
          <Notice icon={SuitcaseIcon}>
            {t('take.here', {
              count: kept.count,
              formatted: formatCount(kept.count),
              when: formatAgo(new Date(kept.takenAt).toISOString(), Date.now()),
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
