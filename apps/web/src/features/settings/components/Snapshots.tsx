import { maxSnapshotName, type Snapshot } from '@postil/contract/snapshots.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { call } from '#lib/api/client.ts'
import { snapshotsQuery } from '#lib/api/snapshots.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import styles from './Snapshots.module.css'

/** The purpose of the open name dialog: a new snapshot, or the snapshot to rename. */
type Naming = 'new' | Snapshot

/** The snapshots of a dataset, which can be downloaded. */
export const Snapshots = ({ datasetId }: { readonly datasetId: string }) => {
  const { t } = useTranslation('features/settings')
  const client = useQueryClient()
  const { data: snapshots = [], error } = useQuery(snapshotsQuery(datasetId))
  const [naming, setNaming] = useState<Naming | null>(null)
  const [deleting, setDeleting] = useState<Snapshot | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: snapshotsQuery(datasetId).queryKey })
  const remove = useMutation({
    mutationFn: ({ id }: Snapshot) =>
      call('DELETE /datasets/:dataset_id/snapshots/:snapshot_id', { params: { dataset_id: datasetId, snapshot_id: id } }),
    onError: toastProblem,
    onSettled: () => {
      setDeleting(null)
      void refresh()
    },
  })
  return (
    <section aria-labelledby="snapshots" className={styles['snapshots']}>
      <div className={styles['head']}>
        <h3 id="snapshots" className={styles['title']}>
          {t('snapshots.title')}
        </h3>
        <Button onClick={() => setNaming('new')}>{t('snapshots.create')}</Button>
      </div>
      <p className={styles['quiet']}>{t('snapshots.hint')}</p>
      {error && snapshots.length === 0 && <ProblemNotice error={error} />}
      {snapshots.length > 0 && (
        <ul className={styles['list']} aria-labelledby="snapshots">
          {snapshots.map((snapshot) => (
            <li key={snapshot.id} className={styles['snapshot']}>
              <strong>
                <bdi>{snapshot.name}</bdi>
              </strong>
              <span className={styles['quiet']}>
                <bdi>{snapshot.user?.username ?? t('labels.formerUser')}</bdi>, {formatDateTime(snapshot.at)}
              </span>
              <span className={styles['actions']}>
                <Button
                  look="quiet"
                  aria-label={t('snapshots.renameThis', { name: snapshot.name })}
                  onClick={() => setNaming(snapshot)}
                >
                  {t('snapshots.rename')}
                </Button>
                <Button
                  look="quiet"
                  aria-label={t('snapshots.deleteThis', { name: snapshot.name })}
                  onClick={() => setDeleting(snapshot)}
                >
                  {t('snapshots.delete')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {naming !== null && (
        <NameDialog datasetId={datasetId} naming={naming} onDone={() => void refresh()} onClose={() => setNaming(null)} />
      )}
      <Dialog
        open={deleting !== null}
        onOpenChange={() => setDeleting(null)}
        title={t('snapshots.deleteTitle', { name: deleting?.name ?? '' })}
        actions={
          <>
            <Button onClick={() => setDeleting(null)}>{t('cancel')}</Button>
            <Button look="danger" busy={remove.isPending} onClick={() => deleting && remove.mutate(deleting)}>
              {t('snapshots.delete')}
            </Button>
          </>
        }
      >
        <p>{t('snapshots.deleteHint')}</p>
      </Dialog>
    </section>
  )
}

type NameProps = {
  readonly datasetId: string
  readonly naming: Naming
  readonly onDone: () => void
  readonly onClose: () => void
}

const NameDialog = ({ datasetId, naming, onDone, onClose }: NameProps) => {
  const { t } = useTranslation('features/settings')
  const [name, setName] = useState(naming === 'new' ? '' : naming.name)
  const save = useMutation({
    mutationFn: () => {
      const body = { name: name.trim() }
      return naming === 'new'
        ? call('POST /datasets/:dataset_id/snapshots', { params: { dataset_id: datasetId }, body })
        : call('PATCH /datasets/:dataset_id/snapshots/:snapshot_id', {
            params: { dataset_id: datasetId, snapshot_id: naming.id },
            body,
          })
    },
    onSuccess: () => {
      onDone()
      onClose()
    },
  })
  return (
    <FormDialog
      title={naming === 'new' ? t('snapshots.create') : t('snapshots.renameThis', { name: naming.name })}
      submitLabel={t(naming === 'new' ? 'snapshots.create' : 'snapshots.rename')}
      busy={save.isPending}
      blocked={name.trim() === ''}
      problem={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Input
        label={t('snapshots.name')}
        hint={t('snapshots.nameHint')}
        value={name}
        maxLength={maxSnapshotName}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  )
}
