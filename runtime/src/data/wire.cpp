#include <accel/wire.h>

#include <vector>

namespace accel::detail {

void WireWriter::write_tensor(const torch::Tensor& tensor) {
  write_number(tensor.defined());
  if (!tensor.defined()) {
    return;
  }
  TORCH_CHECK(tensor.layout() == torch::kStrided && !tensor.is_quantized() && !tensor.is_meta(),
              "accel: a ", tensor.toString(),
              " can't be sent to other processes, only dense tensors can. Convert it, or let every "
              "process read for itself: dispatch_batches(false).");
  const auto data = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous();
  write_number(data.scalar_type());
  write_number(data.dim());
  for (const int64_t size : data.sizes()) {
    write_number(size);
  }
  bytes_.append(static_cast<const char*>(data.data_ptr()), data.nbytes());
}

torch::Tensor WireReader::read_tensor() {
  if (!read_number<bool>()) {
    return {};
  }
  const auto dtype = read_number<torch::ScalarType>();
  std::vector<int64_t> sizes(static_cast<size_t>(read_number<int64_t>()));
  for (int64_t& size : sizes) {
    size = read_number<int64_t>();
  }
  auto tensor = torch::empty(sizes, torch::TensorOptions(dtype));
  const size_t bytes = tensor.nbytes();
  const char* data = next(bytes);
  if (bytes > 0) {
    std::memcpy(tensor.data_ptr(), data, bytes);
  }
  return tensor;
}

} // namespace accel::detail
