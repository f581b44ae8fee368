import type { Plugin } from 'vite'

/** Collects the names of packages whose code a build copies into its files, for their notices. */
export function collectPackages(names: Set<string>): Plugin {
  return {
    name: 'collect-packages',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        for (const id of Object.keys(file.modules)) {
          const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id) ?? []
          if (name !== undefined) names.add(name)
        }
      }
    },
  }
}
