export { GuidesLink } from './components/GuidesLink.tsx'
