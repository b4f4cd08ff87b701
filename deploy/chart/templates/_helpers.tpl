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

{{/* One installation per namespace: every name is fixed. */}}
{{- define "poolkeeper.selector" -}}
app.kubernetes.io/name: poolkeeper
{{- end }}

{{- define "poolkeeper.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* The configuration, so that its checksum can roll the pods. */}}
{{- define "poolkeeper.config" -}}
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
{{- if not .Values.spot.enabled }}
  spot.enabled = false
{{- end }}
{{- if not .Values.bindings.enabled }}
  admission.enabled = false
{{- end }}
{{- if ne .Values.http.authorization "auto" }}
  http.authorization = {{ .Values.http.authorization }}
{{- end }}
{{- with .Values.http.tlsSecretName }}
  http.tls { certificate-file = /etc/poolkeeper-tls/tls.crt, key-file = /etc/poolkeeper-tls/tls.key }
{{- end }}
{{- if ne .Values.monitoring.runbookUrl "RUNBOOKS" }}
  http.runbook-url = {{ .Values.monitoring.runbookUrl | quote }}
{{- end }}
{{ .Values.config | trim | indent 2 }}
}
{{- end }}
