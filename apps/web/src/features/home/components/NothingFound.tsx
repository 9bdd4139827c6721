import type { Home } from '@postil/contract/home.ts'
import { getRouteApi } from '@tanstack/react-router'
import { formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { printWorkspaces, readWorkspaces } from '#lib/url/home-search.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { unknownWorkspaces } from '../dataset-list.ts'

const route = getRouteApi('/inside/')

export const NothingFound = ({ home }: { readonly home: Home }) => {
  const { t } = useTranslation('features/home')
  const { search = '', workspaces } = route.useSearch()
  const navigate = route.useNavigate()
  const chosen = readWorkspaces(workspaces)
  const unknown = unknownWorkspaces(home, chosen)
  // The buttons disappear when they are pressed, so the focus moves to the list that replaces them.
  const toList = (): void => document.getElementById('main')?.focus()
  const showAll = (): void => {
    void navigate({ search: (now) => ({ ...now, workspaces: printWorkspaces([]) }), replace: true })
    toList()
  }
  const clear = (): void => {
    void navigate({ search: {}, replace: true })
    toList()
  }
  if (chosen.length > 0 && unknown.length === chosen.length)
    return (
      <EmptyState
        title={t('noWorkspace', { count: unknown.length, names: formatList(unknown, true) })}
        hint={t('noWorkspaceHint')}
        action={<Button onClick={showAll}>{t('allWorkspaces')}</Button>}
      />
    )
  if (search.trim() === '')
    return (
      <EmptyState
        title={t('nothingFound')}
        hint={t('nothingInWorkspaces')}
        action={<Button onClick={showAll}>{t('allWorkspaces')}</Button>}
      />
    )
  return (
    <EmptyState
      title={t('nothingFound')}
      hint={chosen.length > 0 ? t('nothingFoundHint') : t('noNameHint')}
      action={<Button onClick={clear}>{t('clearSearch')}</Button>}
    />
  )
}
