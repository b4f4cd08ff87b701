{{/* What the values lack, one sentence each. */}}
{{- define "poolkeeper.lacks" -}}
{{- $azure := .Values.azure -}}
{{- if not .Values.image.repository }}
image.repository is required, as no image is published. Build one (deploy/README.md) and add: --set image.repository=REGISTRY/poolkeeper
{{- end }}
{{- if not .Values.clusterName }}
clusterName is required: the cloud provider's --cluster-name. Add: --set clusterName=kubernetes
{{- end }}
{{- range $key := list "subscriptionId" "resourceGroup" }}
{{- if not (index $azure $key) }}
azure.{{ $key }} is required. Add: --set azure.{{ $key }}=...
{{- end }}
{{- end }}
{{- if ne $azure.credential "managed-identity" }}
{{- range $key := list "clientId" "tenantId" }}
{{- if not (index $azure $key) }}
azure.credential={{ $azure.credential }} needs azure.{{ $key }}. Add: --set azure.{{ $key }}=...
{{- end }}
{{- end }}
{{- end }}
{{- if and (eq $azure.credential "client-secret") (not $azure.secretName) }}
azure.credential=client-secret needs azure.secretName: a Secret of this namespace with the key client-secret. Add: --set azure.secretName=...
{{- end }}
{{- if and $azure.secretName (ne $azure.credential "client-secret") }}
azure.secretName is read with azure.credential=client-secret only, found {{ $azure.credential }}. Remove it, or add: --set azure.credential=client-secret
{{- end }}
{{- if not (dig "limits" "memory" "" (.Values.resources | default dict)) }}
resources.limits.memory is required, as the heap is a share of it. Add: --set resources.limits.memory=1Gi
{{- end }}
{{- $config := regexReplaceAll `(?m)(#|//).*$` .Values.config "" }}
{{- range $setting, $value := include "poolkeeper.owned" . | fromYaml }}
{{- $path := splitList "." $setting | join `"?\s*(\.|[=:]?\s*\{([^}]*[\s,"])?)"?` }}
{{- if regexMatch (printf `(^|[\s{,"])%s"?\s*[=:{]` $path) $config }}
config sets {{ $setting }}, on which other objects depend. Remove it there, and add: --set {{ $value }}=...
{{- end }}
{{- end }}
{{- $policies := and .Values.bindings.enabled (or .Values.bindings.policy .Values.bindings.answerPolicy) }}
{{- if and $policies (semverCompare "<1.30.0-0" .Capabilities.KubeVersion.Version) }}
Kubernetes {{ .Capabilities.KubeVersion.Version }} has no ValidatingAdmissionPolicy: who may write bindings or their status could forge finalizers and answers. Accept that by: --set bindings.policy=false,bindings.answerPolicy=false
{{- end }}
{{- range (lookup "rbac.authorization.k8s.io/v1" "ClusterRoleBinding" "" "poolkeeper").subjects }}
{{- if ne .namespace $.Release.Namespace }}
Poolkeeper is in namespace {{ .namespace }} already, and a cluster has room for one: its cluster-wide rights would go to this one. Upgrade that one: helm upgrade -n {{ .namespace }}
{{- end }}
{{- end }}
{{- end }}

{{/* The settings that are values, each with its value's path: roles, policies, ports and probes are rendered from them. */}}
{{- define "poolkeeper.owned" -}}
mode: mode
cluster-name: clusterName
azure.subscription-id: azure.subscriptionId
azure.resource-group: azure.resourceGroup
azure.load-balancers: azure.loadBalancers
azure.cloud: azure.cloud
azure.credential: azure.credential
spot.enabled: spot.enabled
admission.enabled: bindings.enabled
http.authorization: http.authorization
{{- end }}

{{/* https, unless everything is open and no certificate is given. */}}
{{- define "poolkeeper.scheme" -}}
{{- if or .Values.http.tlsSecretName (ne .Values.http.authorization "off") }}https{{ else }}http{{ end }}
{{- end }}

{{- define "poolkeeper.labels" -}}
app.kubernetes.io/name: poolkeeper
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* One installation per cluster: every name is fixed. */}}
{{- define "poolkeeper.selector" -}}
app.kubernetes.io/name: poolkeeper
{{- end }}

{{- define "poolkeeper.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* The configuration, so that its checksum can roll the pods. Of two settings the later one counts, so that values win over config,
     however it spells them. */}}
{{- define "poolkeeper.config" -}}
poolkeeper {
  # One entry of each pool stays in service, however many nodes leave.
  admin-state.min-active = 1
  # A removal of more than half of a pool waits, as it may be a defect of the cluster.
  brake.delay = 15s
{{- with .Values.config | trim }}
{{ . | indent 2 }}
{{- end }}
}
poolkeeper {
  mode = {{ .Values.mode }}
  cluster-name = {{ .Values.clusterName | quote }}
  azure {
    subscription-id = {{ .Values.azure.subscriptionId | quote }}
    resource-group = {{ .Values.azure.resourceGroup | quote }}
{{- with .Values.azure.loadBalancerResourceGroup }}
    load-balancer-resource-group = {{ . | quote }}
{{- end }}
{{- with .Values.azure.vnetId }}
    vnet-id = {{ . | quote }}
{{- end }}
    load-balancers = {{ .Values.azure.loadBalancers | toJson }}
    cloud = {{ .Values.azure.cloud }}
    credential = {{ .Values.azure.credential }}
{{- with .Values.azure.clientId }}
    client-id = {{ . | quote }}
{{- end }}
{{- with .Values.azure.tenantId }}
    tenant-id = {{ . | quote }}
{{- end }}
  }
  spot.enabled = {{ .Values.spot.enabled }}
  admission.enabled = {{ .Values.bindings.enabled }}
  # Roles, ports and probes are rendered for these. Two pods of one Deployment must not both write.
  leader-election { enabled = true, name = poolkeeper-leader }
  lock.name = aks-managed-resource-locker
  http { port = 8558, probe-port = 8559, trust-loopback = {{ .Values.http.trustLoopback }} }
  http.authorization = {{ .Values.http.authorization | quote }}
{{- with .Values.http.tlsSecretName }}
  http.tls { certificate-file = /etc/poolkeeper-tls/tls.crt, key-file = /etc/poolkeeper-tls/tls.key }
{{- end }}
{{- if ne .Values.monitoring.runbookUrl "RUNBOOKS" }}
  http.runbook-url = {{ .Values.monitoring.runbookUrl | quote }}
{{- end }}
}
{{- end }}
