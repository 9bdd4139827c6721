import type { Dataset } from '@postil/contract/datasets.ts'
import type { Import } from '@postil/contract/files/imports.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { HubToken } from '#features/hub/public.ts'
import { beginHubImport, HubTokenForm } from '#features/hub/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { DownloadIcon } from '#ui/marks/icons.tsx'
import { importsQuery, recordCountQuery } from '../../api.ts'
import { hubOf, storedMapping } from '../../wire.ts'
import styles from '../import/ImportPage.module.css'

/**
 * Lets the user restart the Hub import for which the dataset was created. Shown only if that import didn't finish and the dataset
 * has no records.
 */
export const RetryHubImport = ({ dataset, items }: { readonly dataset: Dataset; readonly items: readonly Import[] }) => {
  const { t } = useTranslation('features/create')
  const client = useQueryClient()
  const hub = hubOf(dataset)
  const last = items[0]?.job
  const canRetry = hub !== null && last !== undefined && !items.some(({ job }) => isRunning(job)) && last.status !== 'finished'
  const { data: count } = useQuery({ ...recordCountQuery(dataset.id), enabled: canRetry })
  const retryImport = useMutation({
    mutationFn: async (token: HubToken) => {
      if (hub !== null) await beginHubImport(dataset.id, hub, { mapping: storedMapping(dataset), token })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: importsQuery(dataset.id).queryKey })
      // The import has replaced the pressed button, so the focus moves to the page.
      document.getElementById('main')?.focus()
    },
  })
  if (!canRetry || count !== 0) return null
  const isRefused = last.reason_parts?.[0]?.code.startsWith('hubRefuses') ?? false
  return (
    <div className={styles['again']}>
      {retryImport.error && <ProblemNotice error={retryImport.error} isAlert />}
      <Button
        look="primary"
        size="main"
        icon={DownloadIcon}
        busy={retryImport.isPending}
        onClick={() => retryImport.mutate(null)}
      >
        {t('imports.again')}
      </Button>
      {isRefused && <HubTokenForm isRefused={retryImport.variables != null} onToken={(token) => retryImport.mutate(token)} />}
    </div>
  )
}
