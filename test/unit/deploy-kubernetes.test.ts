// deploy/kubernetes/: every object follows Kubernetes' published schema, kustomize renders them, and they agree with each other and with
// Parley's settings.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { fileURLToPath } from 'node:url';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace } from 'kubernetes-models/v1';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/config.ts';
import { DRAIN_MS, EXIT_MS, LEAVE_MS } from '../../src/shutdown.ts';
import { kubectl, titled } from '../helpers/requirements.ts';

const folder = new URL('../../deploy/kubernetes/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');

interface KubernetesObject {
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
}

const kinds = { Deployment, HorizontalPodAutoscaler, NetworkPolicy, PodDisruptionBudget, ConfigMap, Namespace, PodMonitor };

/** What the schema of its kind says against an object. */
function complaint(object: KubernetesObject): string | null {
  const Kind = kinds[object.kind as keyof typeof kinds] as new (data: unknown) => { validate(): void };
  if (!Kind) return `there is no schema of a ${object.kind} here`;
  try {
    new Kind(object).validate();
    return null;
  } catch (error) {
    return `${object.kind} ${object.metadata.name}: ${(error as Error).message}`;
  }
}

const render = (path: string) => {
  const { stdout, stderr, status } = spawnSync('kubectl', ['kustomize', fileURLToPath(new URL(path, folder))], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
};

test.runIf(kubectl.isMet)(titled('kustomize renders every file, and each object follows its schema', kubectl), () => {
  const objects = [...render('.'), ...render('monitoring')];
  expect(objects.map(({ kind }) => kind).sort()).toEqual([
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Namespace',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PodMonitor',
  ]);
  expect(objects.flatMap((object) => complaint(object) ?? [])).toEqual([]);
  expect(
    objects.filter(({ kind }) => kind !== 'Namespace').every(({ metadata }) => (metadata as { namespace?: string }).namespace === 'parley'),
  ).toBe(true);
});

test('what the schemas are for is found', () => {
  const deployment = parse(read('deployment.yaml')) as KubernetesObject;
  expect(complaint({ ...deployment, spec: { ...deployment.spec, replicas: 'three' } })).toMatch(/replicas/);
});

test('every file is part of the kustomization, and the monitoring of one of its own', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  expect(parse(read('kustomization.yaml')).resources.toSorted()).toEqual(files.sort());
  expect(parse(read('monitoring/kustomization.yaml')).resources).toEqual(['pod-monitor.yaml']);
});

interface Container {
  env: { name: string; value: string }[];
  envFrom: unknown[];
  ports: { name: string; containerPort: number }[];
  readinessProbe: { periodSeconds: number; failureThreshold: number };
}
const { template } = parse(read('deployment.yaml')).spec as {
  template: {
    metadata: { labels: Record<string, string> };
    spec: { containers: [Container]; terminationGracePeriodSeconds: number; securityContext: { runAsUser: number } };
  };
};
const [container] = template.spec.containers;

test('the variables are settings of Parley, and its secrets come from the Secret alone', () => {
  const literals = parse(read('kustomization.yaml')).configMapGenerator[0].literals as string[];
  const names = [...container.env.map(({ name }) => name), ...literals.map((one) => one.split('=')[0] as string)];
  expect(names.filter((name) => !Object.keys(settings).includes(name))).toEqual([]);
  expect(names.filter((name) => /TOKEN|KEY|URL/.test(name))).toEqual([]);
  expect(container.envFrom).toContainEqual({ secretRef: { name: 'parley' } });
});

test('ports, user and time to end agree with the program and its image', () => {
  const port = Number(container.env.find(({ name }) => name === 'HTTP_PORT')?.value);
  expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
  expect(parse(read('network-policy.yaml')).spec.ingress[0].ports[0].port).toBe(port);
  const dockerfile = readFileSync(new URL('../Dockerfile', folder), 'utf8');
  expect(dockerfile).toContain(`\nUSER ${template.spec.securityContext.runAsUser}:`);
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan((LEAVE_MS + DRAIN_MS + EXIT_MS) / 1000);
});

test('nothing goes to a metadata address, and nothing to any address on other ports than those named', () => {
  interface Rule {
    to?: { ipBlock?: { cidr: string; except?: string[] } }[];
    ports?: { port: number; endPort?: number; protocol: string }[];
  }
  for (const { to, ports } of parse(read('network-policy.yaml')).spec.egress as Rule[]) {
    expect(ports?.length).toBeGreaterThan(0);
    expect(to?.length).toBeGreaterThan(0);
    const outside = new BlockList();
    for (const { ipBlock } of to ?? []) {
      if (ipBlock?.cidr !== '0.0.0.0/0') continue;
      for (const one of ipBlock.except ?? []) {
        const [address = '', bits] = one.split('/');
        outside.addSubnet(address, Number(bits));
      }
      for (const metadata of ['169.254.169.254', '169.254.170.2', '168.63.129.16']) expect(outside.check(metadata), metadata).toBe(true);
    }
  }
});

test('fewer processes only come after half an hour, and one at a time', () => {
  const { scaleDown } = parse(read('autoscaler.yaml')).spec.behavior;
  expect(scaleDown).toMatchObject({ stabilizationWindowSeconds: 1800, policies: [{ type: 'Pods', value: 1 }] });
});

test('the alerts and the dashboard look for the job that the processes are scraped as', () => {
  const { namespace } = parse(read('kustomization.yaml')) as { namespace: string };
  const { metadata, spec } = parse(read('monitoring/pod-monitor.yaml')) as { metadata: { name: string }; spec: { jobLabel?: string } };
  const { labels } = template.metadata;
  // As the Prometheus Operator names it: https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.PodMonitorSpec
  const job = labels[spec.jobLabel ?? ''] ?? `${namespace}/${metadata.name}`;
  const { scrape_configs: scraped } = parse(read('../prometheus/prometheus.yaml')) as { scrape_configs: { job_name: string }[] };
  const wanted = ['../prometheus/alerts.yaml', '../grafana/parley.json'].flatMap((file) =>
    [...read(file).matchAll(/\bjob=\\?"([^"\\]*)/g)].map(([, name]) => name),
  );
  expect(wanted.length).toBeGreaterThan(5);
  expect(new Set([...wanted, ...scraped.map(({ job_name: name }) => name)])).toEqual(new Set([job]));
});

test('every process gets a shard', () => {
  const literals = parse(read('kustomization.yaml')).configMapGenerator[0].literals as string[];
  const shards = Number(literals.find((one) => one.startsWith('SHARD_COUNT='))?.split('=')[1]);
  expect(shards).toBeGreaterThanOrEqual(parse(read('autoscaler.yaml')).spec.maxReplicas);
});

test('processes stay ready while Redis is gone for half a minute', () => {
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  expect((failureThreshold - 1) * periodSeconds).toBeGreaterThan(30);
});
