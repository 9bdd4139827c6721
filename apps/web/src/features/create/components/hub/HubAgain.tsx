import type { Dataset } from '@postil/contract/datasets.ts'
import type { Import } from '@postil/contract/files/imports.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { HubToken } from '#features/hub/service.ts'
import { beginHubImport, HubTokenForm } from '#features/hub/service.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { DownloadIcon } from '#ui/marks/icons.tsx'
import { ProblemNotice } from '#ui/telling/ProblemNotice.tsx'
import { importsQuery, recordCountQuery } from '../../api.ts'
import { hubOf, keptMapping } from '../../wire.ts'
import styles from '../import/ImportPage.module.css'

/** Begins the import again that a dataset was made for, as long as nothing has come of it. */
export const HubAgain = ({ dataset, items }: { readonly dataset: Dataset; readonly items: readonly Import[] }) => {
  const { t } = useTranslation('features/create')
  const client = useQueryClient()
  const hub = hubOf(dataset)
  const last = items[0]?.job
  const isOver = hub !== null && last !== undefined && !items.some(({ job }) => isRunning(job)) && last.status !== 'finished'
  const { data: count } = useQuery({ ...recordCountQuery(dataset.id), enabled: isOver })
  const again = useMutation({
    mutationFn: async (token: HubToken) => {
      if (hub !== null) await beginHubImport(dataset.id, hub, { mapping: keptMapping(dataset), token })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: importsQuery(dataset.id).queryKey })
      // The button that was pressed has made way for the import.
      document.getElementById('main')?.focus()
    },
  })
  if (!isOver || count !== 0) return null
  const isRefused = last.reason_parts?.[0]?.code.startsWith('hubRefuses') ?? false
  return (
    <div className={styles['again']}>
      {again.error && <ProblemNotice error={again.error} isAlert />}
      <Button look="primary" size="main" icon={DownloadIcon} busy={again.isPending} onClick={() => again.mutate(null)}>
        {t('imports.again')}
      </Button>
      {isRefused && <HubTokenForm isRefused={again.variables != null} onToken={(token) => again.mutate(token)} />}
    </div>
  )
}
